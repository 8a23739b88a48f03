public import Foundation

/// The type and location of a workout to record.
///
/// Mutable and not thread-safe. Methods that accept a configuration copy it.
open class HKWorkoutConfiguration: NSObject, NSCopying, NSSecureCoding {
  /// The type of activity; default: `other`.
  open var activityType = HKWorkoutActivityType.other

  /// Whether the workout takes place indoors.
  open var locationType = HKWorkoutSessionLocationType.unknown

  /// The kind of swimming location, for swimming.
  open var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown

  /// The length of the pool, for pool swimming.
  open var lapLength: HKQuantity?

  /// Creates a configuration with default values.
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

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived configuration.
  ///
  /// Returns nil if the archive has a later version or lacks a field.
  public required init?(coder: NSCoder) {
    guard let values = coder.decodeContents(WorkoutConfigurationValues.init) else { return nil }
    super.init()
    take(values)
  }

  /// Encodes all four properties.
  open func encode(with coder: NSCoder) {
    coder.encodeContents { WorkoutConfigurationValues(self).write(to: &$0) }
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    HKWorkoutConfiguration(WorkoutConfigurationValues(self))
  }

  /// Returns whether all four properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutConfiguration else { return false }
    return WorkoutConfigurationValues(self) == WorkoutConfigurationValues(other)
  }

  /// A hash of the properties.
  open override var hash: Int { WorkoutConfigurationValues(self).hashValue }

  /// The class name and the activity type.
  open override var description: String { "HKWorkoutConfiguration \(activityType.exportName)" }
}

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
