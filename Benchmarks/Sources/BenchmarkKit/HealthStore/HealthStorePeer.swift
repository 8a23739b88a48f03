import HealthStore
import SampleLog

/// Our store, through the engine's rows.
final class HealthStorePeer: BenchmarkPeer {
  let database: Database
  /// Translates between the stream's codes and names.
  let types: SymbolMap
  let units: SymbolMap
  let sources: SymbolMap
  let devices: SymbolMap
  /// The series of all subjects: those of one are adjacent, in the order of their types.
  private let allSeries: [Series]
  private let seriesByType: [[Series]]
  private let typeCount = StreamNames.types.count
  /// The codes of subjects, by the numbers of their names.
  private let codesOfSubjects: [UInt32: UInt32]
  /// Metadata by type and number, in stored form.
  private let extras: [[UInt8]]

  init(
    directory: String, subjects count: Int = 1, fileSystem: any FileSystem = PosixFileSystem(),
    options: Database.Options = Database.Options()
  ) throws {
    let database = try Database(path: directory, options: options, fileSystem: fileSystem)
    self.database = database
    let allSeries = (0..<count).flatMap { number in
      StreamNames.types.map { database.series(subject: "person \(number)", type: $0.rawValue) }
    }
    codesOfSubjects = Dictionary(
      uniqueKeysWithValues: (0..<count).map {
        (allSeries[$0 * StreamNames.types.count].subject.number, UInt32($0))
      })
    self.allSeries = allSeries
    seriesByType = StreamNames.types.indices.map { type in
      (0..<count).map { allSeries[$0 * StreamNames.types.count + type] }
    }
    types = SymbolMap(database, StreamNames.types.map(\.rawValue))
    units = SymbolMap(database, StreamNames.units)
    sources = SymbolMap(database, StreamNames.sources)
    devices = SymbolMap(database, StreamNames.devices)
    extras = StreamType.allCases.flatMap { type in
      (0..<10 as Range<UInt8>).map { number -> [UInt8] in
        guard let text = StreamMetadata.text(type: type.rawValue, metadata: number) else {
          return []
        }
        var value = Extras()
        value.metadata = [UInt8](text)
        return value.encoded
      }
    }
  }

  /// Opens a store, limited to an amount of memory in bytes if given.
  convenience init(directory: String, subjects: Int, memoryLimit: Int?) throws {
    let options = memoryLimit.map { Database.Options(memoryByteCount: $0) }
    try self.init(
      directory: directory, subjects: subjects, options: options ?? Database.Options())
  }

  func close() throws { try database.close() }

  func ingest(_ samples: ArraySlice<StreamSample>) throws {
    try database.commit(batch(samples))
  }

  /// Does nothing: each commit states its own durability.
  func beginBulk() {}

  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws {
    try database.commit(batch(samples), durability: .buffered)
  }

  func endBulk() throws { try database.seal() }

  func quiesce() throws { try database.seal() }

  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws {
    var batch = database.makeBatch()
    for identifier in identifiers {
      batch.delete(Identifier(high: identifier.high, low: identifier.low))
    }
    try database.commit(batch)
  }

  func compact() throws { try database.compact() }

  func tailingReader() -> any TailingReader { HealthStoreTailingReader(self) }

  func series(_ one: StreamSeries) -> Series {
    series(one.subject, one.type.rawValue)
  }

  @inline(__always)
  private func series(_ subject: UInt32, _ type: UInt8) -> Series {
    allSeries[Int(subject) * typeCount + Int(type)]
  }

  /// The series of one type of all subjects.
  func series(_ type: StreamType) -> [Series] { seriesByType[Int(type.rawValue)] }

  @inline(__always)
  func code(ofSubject name: Name) -> UInt32 {
    codesOfSubjects.count == 1 ? 0 : codesOfSubjects[name.number] ?? .max
  }

  private func batch(_ samples: ArraySlice<StreamSample>) -> Batch {
    var batch = database.makeBatch()
    batch.reserveCapacity(samples.count)
    var numbers: [Int: UInt32] = [:]
    for sample in samples {
      var number: UInt32 = 0
      if sample.metadata > 0 {
        let key = Int(sample.type) * 10 + Int(sample.metadata)
        number = numbers[key] ?? batch.intern(extras: extras[key])
        numbers[key] = number
      }
      let start = Self.date(sample.start)
      batch.add(
        to: series(sample.subject, sample.type),
        id: Identifier(high: sample.identifier.high, low: sample.identifier.low),
        start: start, end: sample.end == sample.start ? start : Self.date(sample.end),
        value: sample.value, unit: units.name(sample.unit),
        source: sources.name(sample.source), device: devices.name(sample.device),
        extras: number)
    }
    return batch
  }

  /// Converts milliseconds exactly like `Date(timeIntervalSince1970:)`.
  @inline(__always)
  static func date(_ milliseconds: Int64) -> Double {
    Double(milliseconds) / 1000 - 978_307_200
  }

  @inline(__always)
  static func milliseconds(_ date: Double) -> Int64 {
    Int64(((date + 978_307_200) * 1000).rounded())
  }
}
