import SampleLog
import Testing

/// The payload of a frame: valid and invalid encodings of a commit.
@Suite struct PayloadTests {
  private let symbols = SymbolTable()

  /// Rows of several subjects with extras, all distinct.
  private func rows(_ count: Int, subjects: Int = 1, blobs: Int = 1, isInstant: Bool = false)
    -> RowGroup
  {
    var rows = RowGroup()
    for blob in 0..<blobs {
      _ = rows.intern(blob: [1, UInt8(blob & 255), UInt8(blob >> 8 & 255), UInt8(blob >> 16)])
    }
    for row in 0..<count {
      rows.subject.append(symbols.intern("subject \(row % subjects)"))
      rows.type.append(symbols.intern("type"))
      rows.id.append(Identifier(high: 1, low: UInt64(row)))
      rows.start.append(Double(row))
      rows.end.append(Double(row) + (isInstant ? 0 : 1))
      rows.value.append(Double(row) / 3)
      rows.unit.append(symbols.intern("unit"))
      rows.source.append(symbols.intern("source \(row % 2)"))
      rows.device.append(row % 3 == 0 ? 0 : symbols.intern("device"))
      rows.extras.append(UInt32(row % (blobs + 1)))
    }
    return rows
  }

  private func payload(_ rows: RowGroup, deletions: RowGroup = RowGroup()) -> CommitPayload {
    var payload = CommitPayload()
    payload.rows = rows
    payload.deletions = deletions
    payload.settings = [([1, 2], [3]), ([4], [])]
    return payload
  }

  private func read(_ bytes: [UInt8]) -> CommitPayload? {
    bytes.withUnsafeBytes { CommitPayload($0, symbols: symbols) }
  }

  private func isSame(_ one: RowGroup, _ other: RowGroup) -> Bool {
    one.subject == other.subject && one.type == other.type && one.id == other.id
      && one.start == other.start && one.end == other.end && one.value == other.value
      && one.unit == other.unit && one.source == other.source && one.device == other.device
      && one.extras == other.extras && one.blobs == other.blobs && one.target == other.target
  }

  @Test(arguments: [1, 2, 63, 64, 65, 66, 300], [1, 2, 256, 257, 300])
  func `Every column of a commit survives a round trip`(count: Int, names: Int) throws {
    for isInstant in [false, true] {
      var deletions = rows(count, subjects: names, isInstant: isInstant)
      deletions.target = (0..<count).map { UInt64($0 + 1) }
      let samples = rows(count, subjects: names, blobs: names, isInstant: isInstant)
      let found = try #require(
        try read(payload(samples, deletions: deletions).encoded(symbols: symbols)))
      #expect(isSame(found.rows, samples))
      #expect(isSame(found.deletions, deletions))
      #expect(found.settings.map(\.key) == [[1, 2], [4]])
      #expect(found.settings.map(\.value) == [[3], []])
      #expect(found.recordCount == 2 * count + 2)
    }
  }

  @Test(arguments: [
    // Subjects, distinct extras, and the bytes per further row: 40 for identifier, dates and value,
    // and the width of the numbers for subject, source, device and extras.
    (1, 1, 43), (2, 1, 44), (256, 1, 46), (257, 1, 47), (2, 255, 44), (2, 256, 45),
    (2, 65_535, 45), (2, 65_536, 47),
  ])
  func `Numbers take the fewest bytes that hold them, and a constant column takes one byte`(
    subjects: Int, blobs: Int, bytes: Int
  ) throws {
    var sizes: [Int] = []
    let least = max(subjects, blobs) + 1000
    for count in [least, least + 100] {
      var payload = CommitPayload()
      payload.rows = rows(count, subjects: subjects, blobs: blobs)
      sizes.append(try payload.encoded(symbols: symbols).count)
    }
    #expect(sizes[1] - sizes[0] == 100 * bytes)
  }

  @Test func `A truncated or extended commit is refused`() throws {
    var deletions = rows(2)
    deletions.target = [1, 2]
    let bytes = try payload(rows(3), deletions: deletions).encoded(symbols: symbols)
    for count in bytes.indices { #expect(read(Array(bytes[..<count])) == nil) }
    #expect(read(bytes) != nil)
    #expect(read(bytes + [0]) == nil)
  }

  @Test func `A row that refers to missing extras or symbols is refused`() throws {
    for blobs in 0...2 {
      var rows = rows(1, blobs: blobs)
      for number in 0...4 {
        rows.extras = [UInt32(number)]
        let bytes = try payload(rows).encoded(symbols: symbols)
        #expect((read(bytes) != nil) == (number <= blobs))
      }
    }
    // No name, no deletion, one row whose subject is symbol 0.
    #expect(read([0, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 64)) == nil)
    #expect(read([0, 0, 0, 0]) != nil)
  }

  @Test func `Empty extras are refused`() throws {
    var rows = rows(1)
    rows.extras = [1]
    rows.blobs = [[]]
    #expect(try read(payload(rows).encoded(symbols: symbols)) == nil)
  }

  @Test func `One byte, 0 or 1, states whether the rows of a commit have ends`() throws {
    var one = CommitPayload()
    one.rows = rows(1)
    let bytes = try one.encoded(symbols: symbols)
    one.rows.end = one.rows.start
    let instant = try one.encoded(symbols: symbols)
    #expect(instant.count == bytes.count - 8)
    let place = try #require(zip(bytes, instant).enumerated().first { $1.0 != $1.1 }?.offset)
    #expect(bytes[place] == 1)
    #expect(instant[place] == 0)
    for byte in 2...255 {
      var other = bytes
      other[place] = UInt8(byte)
      #expect(read(other) == nil)
    }
  }

  @Test func `Counts that exceed the bytes allocate no memory`() {
    // Two thousand million rows of one subject without identifiers.
    var writer = ByteWriter()
    writer.varint(1)
    writer.string([65])
    writer.varint(0)
    writer.varint(UInt64(Int32.max))
    for _ in 0..<5 {
      writer.byte(0)
      writer.varint(0)
    }
    writer.append([UInt8](repeating: 0, count: 100))
    #expect(read(writer.bytes) == nil)
    for count in [UInt64(Int32.max), UInt64(Int32.max) + 1, .max] {
      var writer = ByteWriter()
      writer.varint(count)
      #expect(read(writer.bytes) == nil)
    }
  }

  @Test(arguments: [10, 64, 65, 1000])
  func `A commit contains each name once, in any order of its rows`(count: Int) throws {
    let bytes = try payload(rows(count, subjects: 4)).encoded(symbols: symbols)
    for subject in 0..<4 {
      let name = Array("subject \(subject)".utf8)
      #expect(bytes.indices.count { bytes[$0...].starts(with: name) } == 1)
    }
  }
}

/// The number of commits in a group.
@Suite struct GroupRoomTests {
  @Test func `A group is limited by bytes and records, and always has one commit`() {
    let most = StoreLimit.batchRecords.maximum
    for (first, second, isTaken) in [
      ((1, 1), (1, 1), true), ((64 << 20 - 1, 1), (1, 1), true),
      ((64 << 20, 1), (1, 1), false), ((1 << 30, 1), (1, 1), false),
      ((1, most - 1), (1, 1), true), ((1, most), (1, 1), false), ((1, 2 * most), (1, 1), false),
    ] as [((Int, Int), (Int, Int), Bool)] {
      var room = GroupRoom()
      let taken = [
        room.takes(bytes: first.0, records: first.1),
        room.takes(bytes: second.0, records: second.1),
      ]
      #expect(taken == [true, isTaken])
    }
    var room = GroupRoom()
    let count = (0..<100).prefix { _ in room.takes(bytes: 1 << 20, records: 1) }.count
    #expect(count == 64)
  }
}
