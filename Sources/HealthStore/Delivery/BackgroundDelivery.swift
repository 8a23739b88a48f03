public import Foundation
import SampleLog

/// What became of the background delivery of a type, as its store keeps it.
///
/// Our addition: Apple's store stops delivering after three failures without a notice.
public struct BackgroundDelivery: Hashable, Sendable {
  /// The type whose changes are delivered.
  public let objectType: HKObjectType

  /// How often at most.
  public let frequency: HKUpdateFrequency

  /// When observers were called last; `nil` before the first time.
  public let lastDelivery: Date?

  /// How many deliveries in a row were not acknowledged, 0 to 3; an acknowledged one makes it 0.
  public let failureCount: Int

  /// Whether three deliveries in a row were not acknowledged, after which none is made until
  /// ``HKHealthStore/resetBackgroundDelivery(for:)`` is called.
  public let isStopped: Bool

  init(_ objectType: HKObjectType, _ registration: DeliveryRegistration) {
    self.objectType = objectType
    frequency = HKUpdateFrequency(rawValue: Int(registration.frequency)) ?? .immediate
    lastDelivery = registration.lastDelivery.map { Date(timeIntervalSinceReferenceDate: $0) }
    failureCount = registration.failureCount
    isStopped = registration.isStopped
  }
}
