/// What one commit adds and deletes, all of it or nothing.
///
/// A batch belongs to the ``SymbolTable`` of the database it will be committed to. It is built
/// column by column, so that adding a row costs a few stores.
///
/// ```swift
/// var batch = Batch()
/// batch.add(to: key, start: 0, value: 62)
/// try database.commit(batch)
/// ```
public struct Batch: Sendable {
  package var rows = RowGroup()
  package var deletions: [Identifier] = []
  package var settings: [(key: [UInt8], value: [UInt8])] = []
  /// Whose samples the deletions must be of; nil for anybody's.
  package var deletionSubject: Symbol?
  /// Samples that the batch says something of and that must not go meanwhile.
  package var dependencies: Set<Identifier> = []
  /// Whether samples whose identifier is that of another are left out instead of refused.
  package var leavesOutKnown = false

  /// Creates an empty batch.
  public init() {}

  /// The number of samples the batch adds.
  public var sampleCount: Int { rows.count }

  /// Whether the batch changes nothing.
  public var isEmpty: Bool { rows.count == 0 && deletions.isEmpty && settings.isEmpty }

  /// Makes room for a number of samples in all.
  public mutating func reserveCapacity(_ samples: Int) { rows.reserveCapacity(samples) }

  /// Returns the number by which samples of this batch name encoded ``Extras``; 0 for none.
  public mutating func number(ofExtras bytes: [UInt8]) -> UInt32 { rows.number(ofBlob: bytes) }

  /// Returns the number of extras that only one sample of this batch has, such as those with bytes
  /// of its own, without looking for equal ones.
  public mutating func number(ofOwnExtras bytes: [UInt8]) -> UInt32 {
    rows.number(ofOwnBlob: bytes)
  }

  /// Adds a sample.
  ///
  /// Dates are in seconds since 2001-01-01T00:00:00Z and come back bit for bit, as does the value.
  ///
  /// - Parameters:
  ///   - subject: Whose data it is.
  ///   - type: What kind of data it is.
  ///   - id: The sample's identifier, which no live sample of the store may have.
  ///   - start: The start date.
  ///   - end: The end date, not before the start.
  ///   - value: The value.
  ///   - unit: The value's unit.
  ///   - source: Who recorded it; 0 for nobody.
  ///   - device: What recorded it; 0 for nothing.
  ///   - extras: A number from ``number(ofExtras:)``.
  @inline(__always)
  public mutating func add(
    subject: Symbol, type: Symbol, id: Identifier, start: Double, end: Double, value: Double,
    unit: Symbol = 0, source: Symbol = 0, device: Symbol = 0, extras: UInt32 = 0
  ) {
    rows.subject.append(subject)
    rows.type.append(type)
    rows.id.append(id)
    rows.start.append(start)
    rows.end.append(end)
    rows.value.append(value)
    rows.unit.append(unit)
    rows.source.append(source)
    rows.device.append(device)
    rows.extras.append(extras)
  }

  /// Adds a sample to a series.
  ///
  /// The parameters are those of the form with a subject and a type; the end is the start and the
  /// identifier is a random one unless they are given.
  public mutating func add(
    to series: SeriesKey, id: Identifier = Identifier(), start: Double, end: Double? = nil,
    value: Double, unit: Symbol = 0, source: Symbol = 0, device: Symbol = 0, extras: UInt32 = 0
  ) {
    add(
      subject: series.subject, type: series.type, id: id, start: start, end: end ?? start,
      value: value, unit: unit, source: source, device: device, extras: extras)
  }

  /// Deletes the live sample with an identifier.
  public mutating func delete(_ id: Identifier) { deletions.append(id) }

  /// Records a setting that the log keeps the latest value of; an empty value removes it.
  package mutating func set(_ key: [UInt8], to value: [UInt8]) {
    set((key, value))
  }

  mutating func set(_ setting: (key: [UInt8], value: [UInt8])) { settings.append(setting) }
}
