public import Foundation

/// An event during a workout, instantaneous or with a duration.
///
/// Immutable and safe to share between threads. Two events are equal if type, dates and metadata
/// are equal.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of event.
  public let type: HKWorkoutEventType

  /// The dates of the event.
  ///
  /// An instantaneous event has no duration.
  public let dateInterval: DateInterval

  /// The metadata of the event.
  ///
  /// Values are `String`, `NSNumber` (Bool, Int or Double), `Date` or `HKQuantity`.
  public let metadata: [String: Any]?

  /// The start of the event.
  public var date: Date { dateInterval.start }

  /// Creates an event with validated metadata.
  init(type: HKWorkoutEventType, dateInterval: DateInterval, checked metadata: [String: Any]?) {
    self.type = type
    self.dateInterval = dateInterval
    self.metadata = metadata
    super.init()
  }

  /// Creates an event.
  ///
  /// Traps if `validated(type:dateInterval:metadata:)` would throw.
  public convenience init(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
  ) {
    do {
      let metadata = try Self.check(dateInterval, metadata)
      self.init(type: type, dateInterval: dateInterval, checked: metadata)
    } catch {
      fatalError(error.description)
    }
  }

  /// Creates an instantaneous event.
  ///
  /// Traps if the date is not finite.
  public convenience init(type: HKWorkoutEventType, date: Date) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
  }

  /// Creates an instantaneous event with metadata.
  ///
  /// Traps if `validated(type:dateInterval:metadata:)` would throw.
  public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
  }

  /// Returns an event, or throws where the initialisers would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  public static func validated(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]? = nil
  ) throws(HKInvalidSampleError) -> HKWorkoutEvent {
    HKWorkoutEvent(
      type: type, dateInterval: dateInterval, checked: try check(dateInterval, metadata))
  }

  /// Returns the metadata in normalised form, or throws if the fields are invalid.
  private static func check(
    _ interval: DateInterval, _ metadata: [String: Any]?
  ) throws(HKInvalidSampleError) -> [String: Any]? {
    guard interval.start.timeIntervalSinceReferenceDate.isFinite, interval.duration.isFinite else {
      throw .dateNotFinite(type: "HKWorkoutEvent")
    }
    guard let metadata else { return nil }
    return try Metadata.normalized(metadata).values
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived event.
  ///
  /// Returns nil if the archive has a later version or lacks a field.
  public required init?(coder: NSCoder) {
    guard let event = coder.decodeContents(HKWorkoutEvent.read) else { return nil }
    type = event.type
    dateInterval = event.dateInterval
    metadata = event.metadata
    super.init()
  }

  /// Encodes type, dates and metadata.
  open func encode(with coder: NSCoder) { coder.encodeContents { write(to: &$0) } }

  /// Returns the same object, because events are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both events have the same type, dates and metadata.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEvent else { return false }
    return self === other
      || (type == other.type && dateInterval == other.dateInterval
        && (metadata as NSDictionary? ?? [:]) == (other.metadata as NSDictionary? ?? [:]))
  }

  /// A hash of the type and the dates.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(type)
    hasher.combine(dateInterval)
    return hasher.finalize()
  }

  /// The class name, the type and the date.
  open override var description: String { "HKWorkoutEvent \(type) \(date.printed)" }
}
