import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// Headers of frames and logs with valid checksums and invalid numbers.
@Suite struct HeaderTests {
  private static let good = FrameHeader(
    storedLength: 100, rawLength: 200, first: 7, count: 3, durableThrough: 6, time: 1,
    payloadChecksum: 5, salt: 9)

  private func read(_ bytes: [UInt8]) -> FrameHeader? {
    bytes.withUnsafeBytes { FrameHeader($0, salt: 9) }
  }

  /// Changes the header of a valid frame, and repairs its checksum.
  private func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = Self.good.encoded
    change(&bytes)
    bytes.removeLast(4)
    withUnsafeBytes(of: checksum(bytes).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  @Test func `A frame header is parsed, also with bytes after it, and refused if truncated`() {
    let bytes = Self.good.encoded
    #expect(bytes.count == FrameHeader.size)
    #expect(read(bytes) == Self.good)
    #expect(read(bytes + [1, 2, 3]) == Self.good)
    #expect(read(bytes.dropLast()) == nil)
    #expect(Self.good.frameLength == 168)
    #expect(Self.good.last == 9)
  }

  @Test(arguments: 0..<64)
  func `A flipped bit in any byte of a frame header is detected`(place: Int) {
    for bit in 0..<8 {
      var bytes = Self.good.encoded
      bytes[place] ^= 1 << UInt8(bit)
      #expect(read(bytes) == nil)
    }
  }

  @Test func `A frame header with impossible numbers is refused despite a valid checksum`() {
    func with(_ change: (inout FrameHeader) -> Void) -> FrameHeader? {
      var header = Self.good
      change(&header)
      return read(header.encoded)
    }
    #expect(with { $0.count = 1 } != nil)
    #expect(with { $0.count = 0 } == nil)
    #expect(with { $0.first = FileNames.greatest } != nil)
    #expect(with { $0.first = FileNames.greatest + 1 } == nil)
    #expect(with { $0.first = 0 } == nil)
    #expect(with { $0.salt = 8 } == nil)
    #expect(with { $0.rawLength = 100 } != nil)
    #expect(with { $0.rawLength = 99 } == nil)
    // LZ4 compresses at most to a 255th of the size.
    #expect(with { $0.rawLength = 100 * 255 } != nil)
    #expect(with { $0.rawLength = 100 * 255 + 1 } == nil)
    let most = FrameHeader.maximumPayload
    #expect(
      with {
        $0.storedLength = most
        $0.rawLength = most
      } != nil)
    #expect(
      with {
        $0.storedLength = most
        $0.rawLength = most + 1
      } == nil)
    #expect(read(changed { $0[0] ^= 1 }) == nil)
    #expect(read(changed { _ in }) == Self.good)
  }

  @Test func `A payload is accepted only with its own checksum and length`() {
    for raw in [[], [1], (0..<5000).map { UInt8($0 % 7) }] as [[UInt8]] {
      let stored = StoredPayload(raw)
      #expect(stored.rawLength == raw.count)
      #expect((stored.bytes.count < raw.count) == (raw.count > 255))
      func read(_ change: (inout FrameHeader) -> Void = { _ in }) -> [UInt8]? {
        var header = FrameHeader(
          storedLength: stored.bytes.count, rawLength: raw.count, first: 1, count: 1,
          durableThrough: 0, time: 0, payloadChecksum: stored.checksum, salt: 9)
        change(&header)
        return stored.bytes.withUnsafeBytes { StoredPayload.raw($0, header: header) }
      }
      #expect(read() == raw)
      #expect(read { $0.payloadChecksum ^= 1 } == nil)
      if stored.bytes.count < raw.count {
        #expect(read { $0.rawLength += 1 } == nil)
        #expect(read { $0.rawLength -= 1 } == nil)
      }
    }
  }

  @Test func `A payload of less than 256 bytes is not compressed`() {
    for (count, isCompressed) in [(1, false), (255, false), (256, true)] {
      let raw = [UInt8](repeating: 7, count: count)
      #expect((StoredPayload(raw).bytes.count < count) == isCompressed)
    }
  }

  @Test func `A payload that LZ4 shrinks by less than a sixteenth is not compressed`() {
    var random = Seeded(4)
    let noise = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(StoredPayload(noise).bytes == noise)
    // Compression would save a fiftieth, which does not repay decompression at each read.
    let nearly = noise + [UInt8](repeating: 0, count: 120)
    #expect(StoredPayload(nearly).bytes == nearly)
    #expect(StoredPayload(noise + [UInt8](repeating: 0, count: 800)).bytes.count < 4500)
  }

  private func log(_ change: (inout LogHeader) -> Void) throws -> LogHeader {
    var header = LogHeader(
      storeID: Identifier(high: 1, low: 2), epoch: 3, first: 10, salt: 4,
      predecessor: LogEnd(first: 5, last: 9, length: 1000, chain: 6))
    change(&header)
    let read = try LogHeader(header.encoded, file: "log")
    #expect(read == header)
    return read
  }

  @Test func `A log header with impossible numbers is damage despite a valid checksum`() throws {
    _ = try log { _ in }
    _ = try log { $0.predecessor = nil }
    _ = try log { $0.first = FileNames.greatest }
    _ = try log { $0.predecessor?.length = UInt64(Int.max) }
    for change in [
      { $0.first = 0 }, { $0.first = FileNames.greatest + 1 }, { $0.first = 9 },
      { $0.predecessor?.length = UInt64(Int.max) + 1 }, { $0.predecessor?.last = 10 },
    ] as [(inout LogHeader) -> Void] {
      let impossible = StoreError.damaged(
        file: "log", offset: 0, reason: "the header has impossible numbers")
      #expect(throws: impossible) { try log(change) }
    }
  }

  @Test func `The header of a first log has zeros in place of its predecessor`() throws {
    let bytes = try log { $0.predecessor = nil }.encoded
    #expect(bytes[48..<124].allSatisfy { $0 == 0 })
    #expect(try log { _ in }.encoded[48..<76].filter { $0 != 0 } == [5, 9, 0xE8, 3, 6])
  }

  @Test func `A log header of another kind, version or length is distinguished from damage`()
    throws
  {
    let bytes = try log { _ in }.encoded
    func read(at place: Int? = nil, _ bytes: [UInt8], isSummed: Bool = false) -> StoreError? {
      var bytes = bytes
      if let place { bytes[place] ^= 2 }
      if place != nil || isSummed {
        bytes.removeLast(4)
        withUnsafeBytes(of: checksum(bytes).littleEndian) { bytes.append(contentsOf: $0) }
      }
      return #expect(throws: StoreError.self) { try LogHeader(bytes, file: "log") }
    }
    #expect(read(at: 0, bytes) == .damaged(file: "log", offset: 0, reason: "this is not a log"))
    #expect(read(at: 8, bytes) == .unsupportedVersion(file: "log", version: 3))
    let wrong = StoreError.damaged(
      file: "log", offset: 0, reason: "the header's checksum is wrong")
    #expect(read(bytes + [0]) == wrong)
    #expect(read(bytes.dropLast()) == wrong)
    #expect(read([]) == wrong)
    #expect(read(bytes + [0], isSummed: true) == wrong)
    #expect(read(bytes.dropLast(), isSummed: true) == wrong)
    for place in bytes.indices {
      var bytes = bytes
      bytes[place] ^= 16
      #expect(read(bytes) == wrong)
    }
  }

  @Test func `Only names of the store's pattern are parsed, with their sequence numbers`() {
    #expect(FileNames.log(first: 26) == "000000000000001a.log")
    #expect(FileNames.logFirst("000000000000001a.log") == 26)
    let segment = FileNames.segment(first: 1, last: 100_000, generation: 2)
    #expect(segment == "0000000000000001-00000000000186a0-0002.segment")
    #expect(FileNames.segmentRange(segment).map { [$0.first, $0.last] } == [1, 100_000])
    #expect(FileNames.segmentRange(segment)?.generation == 2)
    let wide = FileNames.segment(first: 5, last: 5, generation: 0x12345)
    #expect(FileNames.segmentRange(wide)?.generation == 0x12345)
    #expect(FileNames.logFirst(FileNames.log(first: FileNames.greatest)) == FileNames.greatest)
    for name in [
      "1a.log", "000000000000001A.log", "00000000000000001a.log", "000000000000001a.segment",
      "000000000000001a", "+00000000000001a.log", FileNames.log(first: FileNames.greatest + 1),
    ] {
      #expect(FileNames.logFirst(name) == nil)
    }
    for name in [
      "0000000000000001-00000000000186A0-0002.segment", "0000000000000001-0002.segment",
      "0000000000000001-00000000000186a0-02.segment",
      "0000000000000001-00000000000186a0-00002.segment",
      "0000000000000001-00000000000186a0-123456789.segment",
      "0000000000000002-0000000000000001-0000.segment",
      "0000000000000001-00000000000186a0-0002-0003.segment",
      FileNames.segment(first: 1, last: FileNames.greatest + 1, generation: 0),
    ] {
      #expect(FileNames.segmentRange(name) == nil)
    }
  }
}
