import SampleLog
import Testing

@Suite struct HistoryChainTests {
  private static func header(salt: UInt64 = 0, durableThrough: UInt64 = 0) -> FrameHeader {
    FrameHeader(
      storedLength: 70_001, rawLength: 90_002, first: 1 << 40, count: 77,
      durableThrough: durableThrough, time: -1.25, payloadChecksum: 0xDEAD_BEEF, salt: salt)
  }

  private static func chain(_ headers: [FrameHeader]) -> HistoryChain {
    headers.reduce(into: HistoryChain(value: 3)) { $0.append($1) }
  }

  @Test func `The chain is a checksum of encoded headers without their own checksums`() {
    let bytes = Array(Self.header().encoded.dropLast(4))
    #expect(Self.chain([Self.header()]).value == checksum(bytes, 3))
    #expect(Self.chain([Self.header(), Self.header()]).value == checksum(bytes + bytes, 3))
  }

  @Test func `Fields that differ between copies do not affect the chain`() {
    let other = Self.header(salt: 5, durableThrough: 9)
    #expect(Self.chain([other]) == Self.chain([Self.header()]))
  }
}
