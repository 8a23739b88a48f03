public import Foundation
import SampleLog

/// The types of samples that a live workout builder collects.
///
/// Methods may be called from any thread.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
  private let wanted: Locked<[HKQuantityType: SampleCondition]>

  /// The types whose samples are collected.
  open var typesToCollect: Set<HKQuantityType> { wanted.withLock { Set($0.keys) } }

  /// Creates a data source.
  ///
  /// - Parameters:
  ///   - healthStore: The store of the builder's session.
  ///   - configuration: The activity type, which determines the initial types: heart rate, active
  ///     and basal energy, and the distances, strokes and pushes of the activity. If nil, there
  ///     are none.
  public init(
    healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?
  ) {
    var types: [HKQuantityType: SampleCondition] = [:]
    for type in configuration.map({ Self.types(of: $0.activityType) }) ?? [] {
      types[HKQuantityType(type)] = .always
    }
    wanted = Locked(types)
    super.init()
  }

  /// Enables collection of a type's samples that match a predicate, or of all of them for nil.
  open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
    let condition = predicate.map { SampleCondition.opaque(OpaquePredicate(predicate: $0)) }
    wanted.withLock { $0[quantityType] = condition ?? .always }
  }

  /// Disables collection of a type's samples.
  open func disableCollection(for quantityType: HKQuantityType) {
    wanted.withLock { $0[quantityType] = nil }
  }

  /// Returns whether a sample is to be collected.
  func admits(_ sample: HKSample) throws -> Bool {
    guard let type = sample.sampleType as? HKQuantityType,
      let condition = wanted.withLock({ $0[type] })
    else { return false }
    return try condition.matches(sample)
  }

  private static func types(of activity: HKWorkoutActivityType) -> [HKQuantityTypeIdentifier] {
    let own: [HKQuantityTypeIdentifier] =
      switch activity {
      case .running, .walking, .hiking: [.distanceWalkingRunning]
      case .cycling, .handCycling: [.distanceCycling]
      case .swimming: [.distanceSwimming, .swimmingStrokeCount]
      case .wheelchairWalkPace, .wheelchairRunPace: [.distanceWheelchair, .pushCount]
      case .downhillSkiing, .snowboarding: [.distanceDownhillSnowSports]
      case .crossCountrySkiing: [.distanceCrossCountrySkiing]
      case .rowing: [.distanceRowing]
      case .paddleSports: [.distancePaddleSports]
      case .skatingSports: [.distanceSkatingSports]
      default: []
      }
    return [.heartRate, .activeEnergyBurned, .basalEnergyBurned] + own
  }
}
