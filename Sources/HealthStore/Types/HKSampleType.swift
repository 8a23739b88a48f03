public import Foundation

/// The type of objects that have a start and an end.
open class HKSampleType: HKObjectType, @unchecked Sendable {
  /// Whether samples of the type have a maximum duration.
  ///
  /// Apple publishes no table. In this library, quantity types and sleep analysis are restricted.
  public var isMaximumDurationRestricted: Bool { info.limits.maximum != nil }

  /// The maximum duration of a sample, in seconds; four days for restricted types.
  ///
  /// - Precondition: ``isMaximumDurationRestricted`` is true.
  public var maximumAllowedDuration: TimeInterval {
    guard let maximum = info.limits.maximum else {
      fatalError("\(identifier) has no maximum duration; ask first whether it has one")
    }
    return maximum
  }

  /// Whether samples of the type have a minimum duration.
  ///
  /// Apple publishes no table. In this library, no type is restricted.
  public var isMinimumDurationRestricted: Bool { info.limits.minimum != nil }

  /// The minimum duration of a sample, in seconds.
  ///
  /// - Precondition: ``isMinimumDurationRestricted`` is true.
  public var minimumAllowedDuration: TimeInterval {
    guard let minimum = info.limits.minimum else {
      fatalError("\(identifier) has no minimum duration; ask first whether it has one")
    }
    return minimum
  }

  /// Whether estimates of the type can be recalibrated.
  ///
  /// Apple documents this for the six-minute walk test only.
  public var allowsRecalibrationForEstimates: Bool {
    self == HKQuantityType.quantityType(forIdentifier: .sixMinuteWalkTestDistance)
  }
}
