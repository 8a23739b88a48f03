/// What one commit adds and deletes, all of it or nothing.
///
/// A batch belongs to the database that made it, as the series and names of its rows do.
/// ``Database/commit(_:durability:)`` refuses one that has anything of another database. A batch is
/// built column by column, so that adding a row costs a few stores.
///
/// ```swift
/// var batch = database.makeBatch()
/// batch.add(to: heartRate, start: 0, value: 62)
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

  /// The number of the table of the database that made the batch; 0 within the package.
  private let table: UInt32
  /// The bits in which the tables of the rows' series and names differ from that, in one number so
  /// that a row costs no branch.
  private var difference: UInt32 = 0

  /// Creates an empty batch for symbols that the caller knows to be of the right database.
  package init() { table = 0 }

  fileprivate init(_ symbols: SymbolTable) { table = symbols.number }

  /// Throws unless everything in the batch is of the database with a table.
  func check(_ symbols: SymbolTable) throws {
    guard difference == 0, table == 0 || table == symbols.number else {
      throw StoreError.invalid(
        "The batch, or a series or name in it, belongs to another database; "
          + "make them with the database that it is committed to.")
    }
  }

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

  /// Adds a sample to a series.
  ///
  /// Dates are in seconds since 2001-01-01 00:00 UTC and come back bit for bit, as does the value.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - id: The sample's identifier, which no live sample of the store may have; random unless
  ///     given.
  ///   - start: The start date.
  ///   - end: The end date, not before the start; the start unless given.
  ///   - value: The value.
  ///   - unit: The value's unit.
  ///   - source: The source that recorded the sample.
  ///   - device: The device that recorded the sample.
  ///   - extras: A number from ``number(ofExtras:)``; 0 for none.
  public mutating func add(
    to series: Series, id: Identifier = Identifier(), start: Double, end: Double? = nil,
    value: Double, unit: Name = .empty, source: Name = .empty, device: Name = .empty,
    extras: UInt32 = 0
  ) {
    difference |= series.table ^ table
    note(unit)
    note(source)
    note(device)
    add(
      subject: series.key.subject, type: series.key.type, id: id, start: start, end: end ?? start,
      value: value, unit: unit.number, source: source.number, device: device.number,
      extras: extras)
  }

  /// Takes note of the table that a name is from, unless it is the empty one.
  @inline(__always)
  private mutating func note(_ name: Name) {
    difference |= (name.table ^ table) & (name.number == 0 ? 0 : .max)
  }

  /// Adds a sample of a subject and a type.
  @inline(__always)
  package mutating func add(
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

  package mutating func add(
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

extension Database {
  /// Returns an empty batch that can be committed to this database.
  public func makeBatch() -> Batch { Batch(symbols) }
}
