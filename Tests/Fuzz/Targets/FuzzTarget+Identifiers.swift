import SampleLog

extension FuzzTarget {
  /// Columns of identifiers.
  static let identifiers = FuzzTarget(name: "Identifiers", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let count = input.half() % Block.maximumRows + 1
    let memory = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime(memory) {} }
    var ids = [Identifier](repeating: Identifier(high: 0, low: 0), count: count)
    guard let encoding = try? IdentifierCodec.check(memory.bytes, count: count),
      (try? IdentifierCodec.decode(memory.bytes, count: count, into: &ids)) != nil
    else { return }
    for row in Store.someRows(of: count) {
      let (window, first) = IdentifierCodec.window(row..<row + 1, count: count, encoding: encoding)
      let part = memory.bytes.dropFirst(IdentifierCodec.headerLength + window.lowerBound)
        .prefix(window.count)
      let bytes = FuzzInput.copy(UnsafeRawBufferPointer(rebasing: part))
      defer { withExtendedLifetime(bytes) {} }
      let one = IdentifierCodec.load(bytes.base, row: row - first, encoding: encoding)
      if one != ids[row] { fail("identifier \(row)") }
    }
    var writer = ByteWriter()
    IdentifierCodec.encode(ids, count: count, into: &writer)
    var again = ids
    let isGood = writer.bytes.withUnsafeBytes { written in
      (try? IdentifierCodec.decode(written, count: count, into: &again)) != nil
    }
    if !isGood || again != ids { fail("identifiers come back different") }
  } seeds: {
    func seed(_ name: String, _ ids: [Identifier]) -> Seed {
      var writer = ByteWriter()
      IdentifierCodec.encode(ids, count: ids.count, into: &writer)
      var input = FuzzInputWriter()
      input.half(ids.count - 1)
      input.append(writer.bytes)
      return Seed(name, input.bytes)
    }
    return [
      seed("raw", (0..<5).map { Identifier(high: $0, low: $0) }),
      seed("random", (0..<7).map { Samples.identifier($0) }),
      seed("shared", (0..<70).map { Identifier(high: 9, low: $0) }),
    ]
  }

  /// Reads the identifiers of all rows of a column.
  private static func identifiers(
    _ column: DerivedIdentifiers, _ sequences: [UInt64]
  ) throws -> [Identifier] {
    var stored = sequences.map { _ in Identifier(high: 0, low: 0) }
    var scratch = [Int64](repeating: 0, count: stored.count)
    try column.decode(rows: 0..<stored.count, sequences, into: &stored, scratch: &scratch)
    return stored.withUnsafeMutableBufferPointer { memory in
      memory.baseAddress.map { base in
        let ids = IdentifierColumn(base, count: memory.count, streams: column.streams)
        return memory.indices.map { ids[$0] }
      } ?? []
    }
  }

  /// Columns of identifiers that are derived from sequence numbers.
  static let derivedIdentifiers = FuzzTarget(
    name: "DerivedIdentifiers", maximumLength: 2048
  ) { bytes in
    var input = FuzzInput(bytes)
    let count = input.half() % Block.maximumRows + 1
    let first = UInt64(input.half()) + 1
    let sequences = Array(first..<first + UInt64(count))
    let memory = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime(memory) {} }
    guard let column = try? DerivedIdentifiers(memory.bytes, count: count),
      let ids = try? FuzzTarget.identifiers(column, sequences)
    else { return }
    // Reading one row of foreign input may return another number, but must not trap.
    for row in Store.someRows(of: count) {
      _ = try? column.decode(row: row, sequence: sequences[row])
      _ = column.position(of: ids[row])
    }
    let streams = Array(column.streams)
    let integers = IntegerEncoder(capacity: count)
    var writer = ByteWriter()
    let isWritten = DerivedIdentifiers.encode(
      ids, sequences: sequences, count: count, limit: .max,
      known: { high in streams.first { $0.high == high } }, integers: integers, into: &writer)
    let written = writer.bytes.withUnsafeBytes { FuzzInput.copy($0) }
    defer { withExtendedLifetime(written) {} }
    guard isWritten, let column = try? DerivedIdentifiers(written.bytes, count: count),
      let again = try? FuzzTarget.identifiers(column, sequences), again == ids
    else { fail("identifiers come back different") }
    for row in Store.someRows(of: count) {
      let stored = try? column.decode(row: row, sequence: sequences[row])
      let id = stored.map { column.streams[Int($0.high)].identifier($0.low) }
      guard id == ids[row] else { fail("identifier \(row)") }
      switch column.position(of: ids[row]) {
      case .none: fail("an identifier that is not found")
      case .at(let sequence): if sequence != sequences[row] { fail("the position of \(row)") }
      case .anywhere: break
      }
    }
  } seeds: {
    func seed(_ name: String, _ streams: [UInt64], _ count: Int) -> Seed {
      let streams = streams.map { IdentifierStream(high: $0, key: Identifier(high: $0, low: 1)) }
      let ids = (0..<count).map { row in
        streams[row * streams.count / count].identifier(UInt64(row * (streams.count % 3 + 1)))
      }
      var writer = ByteWriter()
      _ = DerivedIdentifiers.encode(
        ids, sequences: Array(1...UInt64(count)), count: count, limit: .max,
        known: { high in streams.first { $0.high == high } },
        integers: IntegerEncoder(capacity: count), into: &writer)
      var input = FuzzInputWriter()
      input.half(count - 1)
      input.half(0)
      input.append(writer.bytes)
      return Seed(name, input.bytes)
    }
    return [seed("one-stream", [5], 40), seed("three-streams", [5, 6, 7], 200)]
  }
}
