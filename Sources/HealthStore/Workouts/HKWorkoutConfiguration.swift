public import Foundation

/// What kind of workout is to begin, and where.
///
/// Mutable, so one thread at a time may use it; what takes a configuration copies it.
open class HKWorkoutConfiguration: NSObject, NSCopying, NSSecureCoding {
  /// What is done; another activity than those listed unless it is set.
  open var activityType = HKWorkoutActivityType.other

  /// Whether that is indoors.
  open var locationType = HKWorkoutSessionLocationType.unknown

  /// Where that is swum, for swimming.
  open var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown

  /// The length of a pool, for swimming in one.
  open var lapLength: HKQuantity?

  /// Makes a configuration of which nothing is known.
  public override init() { super.init() }

  init(_ values: WorkoutConfigurationValues) {
    super.init()
    take(values)
  }

  private func take(_ values: WorkoutConfigurationValues) {
    activityType = values.activityType
    locationType = values.locationType
    swimmingLocationType = values.swimmingLocationType
    lapLength = values.lapLength
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived configuration.
  ///
  /// Returns `nil` when the archive is of a later version or lacks a field.
  public required init?(coder: NSCoder) {
    guard let values = coder.decodeContents(WorkoutConfigurationValues.init) else { return nil }
    super.init()
    take(values)
  }

  /// Archives all four properties.
  open func encode(with coder: NSCoder) {
    coder.encodeContents { WorkoutConfigurationValues(self).write(to: &$0) }
  }

  /// Returns a configuration of its own with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    HKWorkoutConfiguration(WorkoutConfigurationValues(self))
  }

  /// Whether all four properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutConfiguration else { return false }
    return WorkoutConfigurationValues(self) == WorkoutConfigurationValues(other)
  }

  /// A hash of the properties.
  open override var hash: Int { WorkoutConfigurationValues(self).hashValue }

  /// The class and the activity.
  open override var description: String { "HKWorkoutConfiguration \(activityType.exportName)" }
}

/// A configuration as a value.
struct WorkoutConfigurationValues: Hashable, Sendable {
  var activityType = HKWorkoutActivityType.other
  var locationType = HKWorkoutSessionLocationType.unknown
  var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown
  var lapLength: HKQuantity?

  init(_ activityType: HKWorkoutActivityType) { self.activityType = activityType }

  init(_ configuration: HKWorkoutConfiguration) {
    activityType = configuration.activityType
    locationType = configuration.locationType
    swimmingLocationType = configuration.swimmingLocationType
    lapLength = configuration.lapLength
  }
}
