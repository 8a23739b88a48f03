public import Foundation

/// Something that happened during a workout, at a moment or for a while.
///
/// Immutable and safe to share between threads. Equal when type, dates and metadata are.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What happened.
  public let type: HKWorkoutEventType

  /// When it happened; a moment has no duration.
  public let dateInterval: DateInterval

  /// Further facts, by metadata key.
  ///
  /// Values are `String`, `NSNumber` (Bool, Int or Double), `Date` or `HKQuantity`.
  public let metadata: [String: Any]?

  /// When it happened, or began.
  public var date: Date { dateInterval.start }

  /// An event whose metadata is checked.
  init(type: HKWorkoutEventType, dateInterval: DateInterval, checked metadata: [String: Any]?) {
    self.type = type
    self.dateInterval = dateInterval
    self.metadata = metadata
    super.init()
  }

  /// Makes an event.
  ///
  /// Traps where `validated(type:dateInterval:metadata:)` throws.
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

  /// Makes an event at a moment.
  ///
  /// Traps when the date is not finite.
  public convenience init(type: HKWorkoutEventType, date: Date) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
  }

  /// Makes an event at a moment.
  ///
  /// Traps where `validated(type:dateInterval:metadata:)` throws.
  public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
  }

  /// Makes an event, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  public static func validated(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]? = nil
  ) throws(HKInvalidSampleError) -> HKWorkoutEvent {
    HKWorkoutEvent(
      type: type, dateInterval: dateInterval, checked: try check(dateInterval, metadata))
  }

  /// Throws when an event cannot have these; returns the metadata in the form that readers expect.
  private static func check(
    _ interval: DateInterval, _ metadata: [String: Any]?
  ) throws(HKInvalidSampleError) -> [String: Any]? {
    guard interval.start.timeIntervalSinceReferenceDate.isFinite, interval.duration.isFinite else {
      throw .dateNotFinite(type: "HKWorkoutEvent")
    }
    guard let metadata else { return nil }
    return try Metadata.normalized(metadata).values
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived event.
  ///
  /// Returns `nil` when the archive is of a later version or lacks a field.
  public required init?(coder: NSCoder) {
    guard let event = coder.decodeContents(HKWorkoutEvent.read) else { return nil }
    type = event.type
    dateInterval = event.dateInterval
    metadata = event.metadata
    super.init()
  }

  /// Archives type, dates and metadata.
  open func encode(with coder: NSCoder) { coder.encodeContents { write(to: &$0) } }

  /// Returns the event itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same type, dates and metadata.
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

  /// The class, type and date.
  open override var description: String { "HKWorkoutEvent \(type) \(date.printed)" }
}
