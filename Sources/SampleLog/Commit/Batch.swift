/// The samples, deletions and settings of one atomic commit.
///
/// A batch belongs to the database that made it, as do the series and names of its rows.
/// ``Database/commit(_:durability:)`` throws an error if any of them belong to another database. A
/// batch stores its rows column by column, so that adding a row costs a few stores.
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
  /// The subject that deleted samples must belong to, or nil to allow any subject.
  package var deletionSubject: Symbol?
  /// Samples that the batch refers to and that must not be deleted before it is committed.
  package var dependencies: Set<Identifier> = []
  /// Whether samples with an identifier that is already in use are skipped instead of rejected.
  package var ignoresDuplicates = false

  /// The number of the symbol table of the database that made the batch, or 0 within the package.
  private let table: UInt32
  /// The bits in which the tables of the rows' series and names differ from `table`, combined by
  /// OR, so that adding a row takes no branch.
  private var difference: UInt32 = 0

  /// Creates an empty batch for symbols that the caller knows to belong to the right database.
  package init() { table = 0 }

  fileprivate init(_ symbols: SymbolTable) { table = symbols.number }

  /// Throws unless the batch and everything in it belong to the database with the given table.
  func check(_ symbols: SymbolTable) throws {
    guard difference == 0, table == 0 || table == symbols.number else {
      throw StoreError.invalid(
        "The batch, or a series or name in it, belongs to another database; "
          + "make them with the database that it is committed to.")
    }
  }

  /// The number of samples that the batch adds.
  public var sampleCount: Int { rows.count }

  /// Whether the batch changes nothing.
  public var isEmpty: Bool { rows.count == 0 && deletions.isEmpty && settings.isEmpty }

  /// Reserves room for a total number of samples.
  public mutating func reserveCapacity(_ samples: Int) { rows.reserveCapacity(samples) }

  /// Returns the number by which samples of this batch refer to encoded ``Extras``; 0 for empty
  /// extras.
  public mutating func intern(extras bytes: [UInt8]) -> UInt32 { rows.intern(blob: bytes) }

  /// Returns the number by which a sample refers to extras that no other sample of this batch has.
  ///
  /// Skips the search for equal extras, which hashes all of their bytes.
  public mutating func number(ofOwnExtras bytes: [UInt8]) -> UInt32 {
    rows.number(ofOwnBlob: bytes)
  }

  /// Adds a sample to a series.
  ///
  /// Dates and values are stored bit for bit.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - id: The sample's identifier, which no live sample of the store may have. Default: a random
  ///     identifier.
  ///   - start: The start date, in seconds since 2001-01-01 00:00 UTC.
  ///   - end: The end date, in the same unit; not before the start. Default: the start.
  ///   - value: The value.
  ///   - unit: The value's unit.
  ///   - source: The source that recorded the sample.
  ///   - device: The device that recorded the sample.
  ///   - extras: A number from ``intern(extras:)``, or 0 for none.
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

  /// Records the table that a name belongs to; the empty name belongs to every table.
  @inline(__always)
  private mutating func note(_ name: Name) {
    difference |= (name.table ^ table) & (name.number == 0 ? 0 : .max)
  }

  /// Adds a sample of a subject and type, given as symbols.
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

  /// Deletes the live sample with the given identifier.
  public mutating func delete(_ id: Identifier) { deletions.append(id) }

  /// Sets the value of a setting, of which the store keeps the latest version.
  ///
  /// An empty value removes the setting.
  package mutating func set(_ key: [UInt8], to value: [UInt8]) {
    set((key, value))
  }

  mutating func set(_ setting: (key: [UInt8], value: [UInt8])) { settings.append(setting) }
}

extension Database {
  /// Returns an empty batch for this database.
  public func makeBatch() -> Batch { Batch(symbols) }
}
