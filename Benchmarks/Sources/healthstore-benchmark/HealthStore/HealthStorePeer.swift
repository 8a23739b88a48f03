import SampleLog

/// Our store, through the engine's rows.
final class HealthStorePeer: BenchmarkPeer {
  let database: Database
  /// The symbols of the stream's codes, and back.
  let types: SymbolMap
  let units: SymbolMap
  let sources: SymbolMap
  let devices: SymbolMap
  let subject: Symbol
  private var extras: [UInt16: [UInt8]] = [:]

  init(directory: String) throws {
    database = try Database(path: directory)
    let symbols = database.symbols
    subject = symbols.intern("person")
    types = SymbolMap(symbols, prefix: "HKQuantityTypeIdentifier", count: 10)
    units = SymbolMap(symbols, prefix: "unit ", count: 10)
    sources = SymbolMap(symbols, prefix: "com.example.source ", count: 4)
    devices = SymbolMap(symbols, prefix: "device ", count: 8)
  }

  func close() throws { try database.close() }

  func ingest(_ samples: ArraySlice<StreamSample>) throws {
    try database.commit(batch(samples))
  }

  /// Nothing to prepare: a commit says itself whether it must be durable.
  func beginBulk() {}

  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws {
    try database.commit(batch(samples), durability: .buffered)
  }

  func endBulk() throws { try database.seal() }

  func settle() throws { try database.seal() }

  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws {
    var batch = Batch()
    for identifier in identifiers {
      batch.delete(Identifier(high: identifier.high, low: identifier.low))
    }
    try database.commit(batch)
  }

  func compact() throws { try database.compact() }

  func key(_ type: StreamType) -> SeriesKey {
    SeriesKey(subject: subject, type: types.symbol(type.rawValue))
  }

  private func batch(_ samples: ArraySlice<StreamSample>) -> Batch {
    var batch = Batch()
    batch.reserveCapacity(samples.count)
    var numbers: [UInt16: UInt32] = [:]
    for sample in samples {
      var number: UInt32 = 0
      if sample.metadata > 0 {
        let key = UInt16(sample.type) << 8 | UInt16(sample.metadata)
        number = numbers[key] ?? batch.number(ofExtras: encodedExtras(sample, key))
        numbers[key] = number
      }
      let start = Self.date(sample.start)
      batch.add(
        subject: subject, type: types.symbol(sample.type),
        id: Identifier(high: sample.identifier.high, low: sample.identifier.low),
        start: start, end: sample.end == sample.start ? start : Self.date(sample.end),
        value: sample.value, unit: units.symbol(sample.unit),
        source: sources.symbol(sample.source), device: devices.symbol(sample.device),
        extras: number)
    }
    return batch
  }

  private func encodedExtras(_ sample: StreamSample, _ key: UInt16) -> [UInt8] {
    if let known = extras[key] { return known }
    var value = Extras()
    value.metadata =
      StreamMetadata.text(type: sample.type, metadata: sample.metadata).map {
        [UInt8]($0)
      } ?? []
    extras[key] = value.encoded
    return value.encoded
  }

  /// What `Date(timeIntervalSince1970:)` makes of milliseconds.
  @inline(__always)
  static func date(_ milliseconds: Int64) -> Double {
    Double(milliseconds) / 1000 - 978_307_200
  }

  @inline(__always)
  static func milliseconds(_ date: Double) -> Int64 {
    Int64(((date + 978_307_200) * 1000).rounded())
  }
}

/// The symbols of small codes.
struct SymbolMap {
  private let symbols: [Symbol]
  private var codes: [UInt8] = []

  init(_ table: SymbolTable, prefix: String, count: Int) {
    symbols = (0..<count).map { table.intern(prefix + String($0)) }
    codes = [UInt8](repeating: 0, count: Int(symbols.max() ?? 0) + 1)
    for (code, symbol) in symbols.enumerated() { codes[Int(symbol)] = UInt8(code) }
  }

  @inline(__always)
  func symbol(_ code: UInt8) -> Symbol { symbols[Int(code)] }

  @inline(__always)
  func code(_ symbol: Symbol) -> UInt8 { codes[Int(symbol)] }
}
