import FoundationEssentials
import SampleLog

/// Returns options for tests: no background work, and a clock that stands still.
func testOptions(_ change: (inout Database.Options) -> Void = { _ in }) -> Database.Options {
  var options = Database.Options()
  options.sealsInBackground = false
  options.clock = { 1_000_000 }
  change(&options)
  return options
}

extension Database {
  /// Opens a store in memory.
  static func inMemory(
    _ fileSystem: MemoryFileSystem = MemoryFileSystem(), mode: OpenMode = .readWrite,
    _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    try Database(path: "store", mode: mode, options: testOptions(change), fileSystem: fileSystem)
  }

  /// Returns a series by its names.
  func key(_ type: String, subject: String = "ada") -> SeriesKey {
    SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type))
  }

  /// Saves one sample and returns its identifier.
  @discardableResult
  func save(
    _ type: String = "heartRate", subject: String = "ada", start: Double = 0, end: Double? = nil,
    value: Double = 60, unit: String = "count/min", source: String = "watch",
    extras: Extras = Extras(), id: Identifier = Identifier(UUID())
  ) throws -> Identifier {
    var batch = Batch()
    let number = batch.intern(extras: extras.encoded)
    batch.add(
      subject: symbols.intern(subject), type: symbols.intern(type), id: id, start: start,
      end: end ?? start, value: value, unit: symbols.intern(unit), source: symbols.intern(source),
      extras: number)
    try commit(batch)
    return id
  }

  /// Deletes one sample.
  func delete(_ id: Identifier) throws {
    var batch = Batch()
    batch.delete(id)
    try commit(batch)
  }

  /// Returns the values of a series in order of start.
  func values(_ type: String = "heartRate", where filter: RowFilter = RowFilter()) throws
    -> [Double]
  {
    try snapshot().select([key(type)], where: filter, order: .start(ascending: true)).map {
      $0.block.value[$0.row]
    }
  }
}

extension Row {
  var value: Double { block.value[row] }
  var start: Double { block.start[row] }
}

extension ChangeFeed {
  /// Returns the keys of the changed series.
  func changedKeys() throws -> Set<SeriesKey>? {
    try nextChangedSeries().map { Set($0.map(\.key)) }
  }
}
