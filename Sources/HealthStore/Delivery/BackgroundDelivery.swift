public import Foundation
import SampleLog

/// The state of background delivery for a type, as persisted in the store.
///
/// This is an addition: Apple's store stops delivering after three failures without reporting it.
public struct BackgroundDelivery: Hashable, Sendable {
  /// The type whose changes are delivered.
  public let objectType: HKObjectType

  /// The maximum frequency of deliveries.
  public let frequency: HKUpdateFrequency

  /// The time of the last delivery, or `nil` before the first one.
  public let lastDelivery: Date?

  /// The number of consecutive deliveries that were not acknowledged, 0 to 3.
  ///
  /// An acknowledgement resets it to 0.
  public let failureCount: Int

  /// Whether delivery is suspended because three consecutive deliveries were not acknowledged.
  ///
  /// ``HKHealthStore/resetBackgroundDelivery(for:)`` resumes it.
  public let isStopped: Bool

  init(_ objectType: HKObjectType, _ registration: DeliveryRegistration) {
    self.objectType = objectType
    frequency = HKUpdateFrequency(rawValue: Int(registration.frequency)) ?? .immediate
    lastDelivery = registration.lastDelivery.map { Date(timeIntervalSinceReferenceDate: $0) }
    failureCount = registration.failureCount
    isStopped = registration.isStopped
  }
}
