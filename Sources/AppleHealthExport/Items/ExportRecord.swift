public import Foundation

/// A quantity or category sample.
public struct ExportRecord: Equatable, Sendable {
  /// The type identifier, which does not always contain `TypeIdentifier`.
  public var type: String
  /// The unit of the value, which depends on the phone's settings; nil for categories.
  public var unit: String?
  /// A number, or the name of a category value; nil for a category without a value.
  public var value: String?
  /// The source and device of the sample.
  public var origin: ExportOrigin
  /// The start date, to the second.
  public var startDate: Date
  /// The end date.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry]
  /// The heartbeats that a heart rate variability was computed from.
  public var beats: [ExportBeat]
  /// Whether the record is inside another element, such as a workout; a copy may be at top level.
  public var isPart = false

  /// Creates a record.
  public init(
    type: String, unit: String? = nil, value: String? = nil, origin: ExportOrigin,
    startDate: Date, endDate: Date, metadata: [ExportEntry] = [], beats: [ExportBeat] = []
  ) {
    self.type = type
    self.unit = unit
    self.value = value
    self.origin = origin
    self.startDate = startDate
    self.endDate = endDate
    self.metadata = metadata
    self.beats = beats
  }
}

/// One heartbeat of a heart rate variability measurement.
public struct ExportBeat: Equatable, Sendable {
  /// The momentary rate in beats per minute.
  public var bpm: Double
  /// The time of day in the phone's language, without a date: `00:20:37,80` or `7:30:01.00 AM`.
  public var time: String

  /// Creates a beat.
  public init(bpm: Double, time: String) {
    self.bpm = bpm
    self.time = time
  }
}

/// A sample that consists of other samples, such as a blood pressure.
public struct ExportCorrelation: Equatable, Sendable {
  /// The type identifier.
  public var type: String
  /// The source and device of the sample.
  public var origin: ExportOrigin
  /// The start date.
  public var startDate: Date
  /// The end date.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The records of the correlation.
  ///
  /// Exports repeat these records at top level; an import gives both copies the same identifier.
  public var records: [ExportRecord] = []

  /// Creates a correlation.
  public init(
    type: String, origin: ExportOrigin, startDate: Date, endDate: Date,
    metadata: [ExportEntry] = [], records: [ExportRecord] = []
  ) {
    self.type = type
    self.origin = origin
    self.startDate = startDate
    self.endDate = endDate
    self.metadata = metadata
    self.records = records
  }
}
