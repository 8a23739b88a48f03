import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

/// Identifiers that this library generates, and their encoding in files.
@Suite struct DerivedIdentifierTests {
  private let stream = IdentifierStream(
    high: 0x1234_5678_9ABC_DEF0, key: Identifier(high: 1, low: 2))
  private let other = IdentifierStream(high: 77, key: Identifier(high: 3, low: 4))

  // MARK: Streams

  @Test func `A stream's identifiers never change`() {
    // Computed by a separate program from the specification in Docs/format.md.
    #expect(stream.identifier(0).description == "12345678-9ABC-4EF0-860F-99B4AD3325DB")
    #expect(stream.identifier(1).description == "12345678-9ABC-4EF0-97D0-D2C28A2553DD")
    #expect(stream.identifier((1 << 62) - 1).description == "12345678-9ABC-4EF0-AB6E-A5CA774EBA7A")
    #expect(other.identifier(0).description == "00000000-0000-404D-98EB-AFAE97966E7E")
  }

  @Test func `Each number has a distinct identifier and is recovered from it`() {
    let numbers = Array(0..<20_000 as Range<UInt64>) + [1 << 31, 1 << 61, (1 << 62) - 1]
    let ids = numbers.map { stream.identifier($0) }
    #expect(Set(ids).count == numbers.count)
    #expect(ids.allSatisfy { stream.contains($0) && !other.contains($0) })
    #expect(ids.map { stream.number(of: $0) } == numbers)
    // UUIDs of version 4.
    #expect(ids.allSatisfy { $0.high >> 12 & 15 == 4 && $0.low >> 62 == 2 })
    let rekeyed = IdentifierStream(high: stream.high, key: Identifier(high: 1, low: 3))
    #expect(zip(numbers, ids).count { rekeyed.identifier($0) == $1 } == 0)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 64, 100])
  func `Identifiers computed in bulk equal those computed one by one`(count: Int) {
    var words = (0..<UInt64(count)).map { $0 * 3 + 1 }
    words.withUnsafeMutableBufferPointer { stream.encipher($0.baseAddress!, count: count) }
    #expect(words == (0..<UInt64(count)).map { stream.identifier($0 * 3 + 1).low })
    words.withUnsafeMutableBufferPointer { stream.decipher($0.baseAddress!, count: count) }
    #expect(words == (0..<UInt64(count)).map { $0 * 3 + 1 })
  }

  @Test func `Identifiers of adjacent numbers differ in half of their bits`() {
    var differing = 0
    for number in 0..<4096 as Range<UInt64> {
      let change = stream.identifier(number).low ^ stream.identifier(number + 1).low
      differing += change.nonzeroBitCount
    }
    #expect((30.0...32).contains(Double(differing) / 4096))
  }

  // MARK: Columns

  /// Encodes, decodes and looks up; returns the length, or nil if the encoding does not apply.
  private func length(
    _ ids: [Identifier], _ sequences: [UInt64], knowing streams: [IdentifierStream],
    limit: Int = .max
  ) throws -> Int? {
    var writer = ByteWriter()
    writer.byte(99)
    let isWritten = DerivedIdentifiers.encode(
      ids, sequences: sequences, count: ids.count, limit: limit,
      known: { high in streams.first { $0.high == high } },
      integers: IntegerEncoder(capacity: ids.count), into: &writer)
    guard isWritten else {
      #expect(writer.bytes == [99], "a rejected column writes no bytes")
      return nil
    }
    let memory = padded(Array(writer.bytes.dropFirst()))
    defer { withExtendedLifetime(memory) {} }
    let column = try DerivedIdentifiers(memory.bytes, count: ids.count)
    #expect(try column.identifiers(sequences) == ids)
    for row in Set([0, ids.count / 2, ids.count - 1]) {
      #expect(try column.identifier(row, sequence: sequences[row]) == ids[row])
      let place = column.position(of: ids[row])
      #expect(place == .anywhere || place == .at(sequences[row]))
    }
    #expect(column.position(of: Identifier(high: 1, low: 1 << 63)) == .none)
    return memory.count
  }

  @Test func `Samples saved in creation order take no space for identifiers`()
    throws
  {
    let ids = (0..<4096 as Range<UInt64>).map { stream.identifier(500 + $0) }
    let length = try length(ids, Array(9000..<13_096), knowing: [stream])
    #expect(try #require(length) < 40)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 1000, 4096])
  func `Numbers in any order and of several streams survive a round trip`(count: Int) throws {
    var random = Seeded(state: UInt64(count))
    let streams = (0..<5).map { number in
      IdentifierStream(high: random.next(), key: Identifier(high: 5, low: UInt64(number)))
    }
    let ids = (0..<count).map { _ in
      streams[random.below(5)].identifier(UInt64(random.below(1 << 40)))
    }
    let sequences = (0..<count).map { _ in UInt64(random.below(1 << 50)) }
    #expect(try length(ids, sequences, knowing: streams) != nil)
  }

  @Test func `A foreign identifier prevents the derived encoding`() throws {
    var ids = (0..<100 as Range<UInt64>).map { stream.identifier($0) }
    let sequences = Array(0..<100 as Range<UInt64>)
    #expect(try length(ids, sequences, knowing: [stream]) != nil)
    #expect(try length(ids, sequences, knowing: [other]) == nil)
    ids[50] = other.identifier(1)
    #expect(try length(ids, sequences, knowing: [stream]) == nil)
    #expect(try length(ids, sequences, knowing: [stream, other]) != nil)
    // The first half of a stream, and a second half that is no version 4 UUID.
    ids[50] = Identifier(high: stream.high, low: 1 << 62)
    #expect(try length(ids, sequences, knowing: [stream]) == nil)
  }

  @Test func `The derived encoding has at most sixteen streams`() throws {
    let streams = (0..<17).map {
      IdentifierStream(high: UInt64($0) << 20, key: Identifier(high: 0, low: 0))
    }
    for count in [16, 17] {
      let ids = (0..<count).map { streams[$0].identifier(8) }
      let sequences = Array(0..<UInt64(count))
      #expect(try (length(ids, sequences, knowing: streams) != nil) == (count == 16))
    }
  }

  @Test func `A column that is not smaller than the limit is not written`() throws {
    let ids = (0..<9 as Range<UInt64>).map { stream.identifier($0) }
    let sequences = Array(0..<9 as Range<UInt64>)
    let length = try #require(try length(ids, sequences, knowing: [stream]))
    #expect(try self.length(ids, sequences, knowing: [stream], limit: length) == nil)
    #expect(try self.length(ids, sequences, knowing: [stream], limit: length + 1) == length)
  }

  @Test func `Impossible columns are refused`() throws {
    let ids = (0..<20 as Range<UInt64>).map { ($0 < 9 ? stream : other).identifier($0) }
    let sequences = Array(1000..<1020 as Range<UInt64>)
    var writer = ByteWriter()
    #expect(
      DerivedIdentifiers.encode(
        ids, sequences: sequences, count: 20, limit: .max,
        known: { [stream.high: stream, other.high: other][$0] },
        integers: IntegerEncoder(capacity: 20), into: &writer))
    func reason(_ change: (inout [UInt8]) -> Void) -> String? {
      var bytes = writer.bytes
      change(&bytes)
      let memory = padded(bytes)
      defer { withExtendedLifetime(memory) {} }
      do throws(CodecError) {
        _ = try DerivedIdentifiers(memory.bytes, count: 20).identifiers(sequences)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason { _ in } == nil)
    #expect(reason { $0[0] = 2 } == "wrong count of identifiers")
    #expect(reason { $0[1] = 21 } == "wrong count of identifiers")
    #expect(reason { $0[3] = 0 } == "impossible count of identifiers' streams")
    #expect(reason { $0[3] = 17 } == "impossible count of identifiers' streams")
    #expect(reason { $0[3] = 16 } == "cut streams of identifiers")
    #expect(reason { $0[5] = 0x30 } == "identifiers of no version")
    #expect(reason { $0.removeLast() } != nil)
    #expect(reason { $0.append(0) } != nil)
    for length in 0..<writer.count { #expect(reason { $0 = Array($0.prefix(length)) } != nil) }
  }

  // MARK: Stores

  private func fill(_ database: Database, _ count: Int, from first: UInt64) throws {
    for number in first..<first + UInt64(count) {
      try database.save(value: Double(number), id: stream.identifier(number))
    }
  }

  /// The size of a store's segments, in bytes.
  private func size(_ files: MemoryFileSystem) throws -> Int {
    try (files.list("store") ?? []).filter { $0.hasSuffix(".segment") }.reduce(0) {
      try $0 + files.open("store/" + $1, .read).size()
    }
  }

  @Test func `A store that knows the stream finds its samples in much smaller files`() throws {
    var sizes: [Int] = []
    for isKnown in [false, true] {
      let files = MemoryFileSystem()
      let database = try Database.inMemory(files)
      if isKnown { database.symbols.streams.add(stream) }
      try fill(database, 1000, from: 0)
      try database.seal()
      for number in [0, 500, 999] as [UInt64] {
        #expect(try database.snapshot().row(stream.identifier(number))?.value == Double(number))
      }
      #expect(try database.snapshot().row(stream.identifier(1000)) == nil)
      #expect(throws: StoreError.self) {
        try database.save(id: stream.identifier(500))
      }
      sizes.append(try size(files))
    }
    #expect(sizes[1] < sizes[0] - 7000)
  }

  @Test func `A process that reads the stream from a file writes equally small files`() throws {
    let files = MemoryFileSystem()
    do {
      let database = try Database.inMemory(files)
      database.symbols.streams.add(stream)
      try fill(database, 1000, from: 0)
      try database.seal()
      try fill(database, 10, from: 1000)
      try database.close()
    }
    let before = try size(files)
    let database = try Database.inMemory(files)
    #expect(database.symbols.streams[stream.high] == nil)
    try database.delete(stream.identifier(3))
    try database.compact()
    #expect(database.symbols.streams[stream.high] == stream)
    #expect(try size(files) < before + 1000)
    #expect(try database.snapshot().row(stream.identifier(1005))?.value == 1005)
    #expect(try database.snapshot().row(stream.identifier(3)) == nil)
    let page = try database.snapshot().changes(after: .beginning)
    #expect(page.changes.map(\.row.id).contains(stream.identifier(3)))
  }

  @Test func `Threads concurrently compute identifiers of rows whose files are removed`() throws {
    let database = try Database.inMemory()
    for stream in [stream, other] { database.symbols.streams.add(stream) }
    let ids = (0..<900 as Range<UInt64>).map { ($0 % 3 == 0 ? other : stream).identifier($0) }
    for id in ids { try database.save(id: id) }
    try database.seal()
    let snapshot = database.snapshot()
    let rows = try snapshot.select(SeriesSelection(), order: .start(ascending: true))
    let newest = try #require(try snapshot.select(SeriesSelection(), limit: 1).first)
    let page = try snapshot.changes(after: .beginning, limit: 50)
    try database.delete(ids[5])
    try database.compact()
    try database.close()
    let isRight = Locked(true)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<rows.count {
        let place = (step + thread * 113) % rows.count
        if rows[place].id != ids[place] { isRight.withLock { $0 = false } }
      }
    }
    #expect(rows.count == ids.count && isRight.withLock { $0 })
    #expect(ids.contains(newest.id))
    #expect(page.changes.map(\.row.id) == Array(ids.prefix(50)))
  }

  @Test func `A wrong stream key costs space but changes no identifier`() throws {
    let wrong = IdentifierStream(high: stream.high, key: Identifier(high: 9, low: 9))
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    database.symbols.streams.add(wrong)
    try fill(database, 300, from: 0)
    try database.seal()
    #expect(try database.snapshot().row(stream.identifier(299))?.value == 299)
    #expect(try Verification(path: "store", fileSystem: files).isGood)
  }
}

extension DerivedIdentifiers {
  /// The identifiers of all rows, which are computed in a different order.
  fileprivate func identifiers(_ sequences: [UInt64]) throws(CodecError) -> [Identifier] {
    var stored = sequences.map { _ in Identifier(high: 0, low: 0) }
    var scratch = [Int64](repeating: 0, count: stored.count)
    let rows = 0..<stored.count
    try decode(rows: rows, sequences, into: &stored, scratch: &scratch)
    let streams = streams
    return stored.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return [] }
      let column = IdentifierColumn(base, count: rows.count, streams: streams)
      let odd = rows.filter { $0 % 2 == 1 }.map { column[$0] }
      return rows.map { $0 % 2 == 1 ? odd[$0 / 2] : column[$0] }
    }
  }

  /// The identifier of one row.
  fileprivate func identifier(
    _ row: Int, sequence: UInt64
  ) throws(CodecError) -> Identifier {
    var stored = try decode(row: row, sequence: sequence)
    let streams = streams
    return IdentifierColumn(&stored, count: 1, streams: streams)[0]
  }
}
