public import Foundation

/// A quantity or category sample.
public struct ExportRecord: Equatable, Sendable {
  /// The type identifier; not every one contains `TypeIdentifier`.
  public var type: String
  /// The unit of the value, which follows the phone's settings; nil for categories.
  public var unit: String?
  /// A number, or the name of a category value; nil for categories without one.
  public var value: String?
  /// Who wrote it.
  public var origin: ExportOrigin
  /// When the sample starts, to the second.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry]
  /// The heartbeats that a heart rate variability was computed from.
  public var beats: [ExportBeat]
  /// Whether the record stands inside a workout; the same record may stand at top level as well.
  public var isPart = false

  /// A record from its parts.
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
  /// A time of day in the phone's language, without a date: `00:20:37,80` or `7:30:01.00 AM`.
  public var time: String

  /// A beat from its parts.
  public init(bpm: Double, time: String) {
    self.bpm = bpm
    self.time = time
  }
}

/// A sample made of others, such as a blood pressure.
public struct ExportCorrelation: Equatable, Sendable {
  /// The type identifier.
  public var type: String
  /// Who wrote it.
  public var origin: ExportOrigin
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// What it is made of.
  ///
  /// The same records are delivered at top level too; an import gives both copies one identifier.
  public var records: [ExportRecord] = []

  /// A correlation from its parts.
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
