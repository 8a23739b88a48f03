import SampleLog
import Testing

@testable import SampleLogReplication

@Suite struct MessageTests {
  private static func message(_ payload: [UInt8] = [1, 2, 3]) -> Message {
    Message(
      writer: Writer(
        storeID: Identifier(high: 1, low: 2), epoch: 3, term: 4, epochFirst: 5),
      epoch: 6, first: 8, before: HistoryPosition(last: 7, chain: HistoryChain(value: 9)),
      after: HistoryPosition(last: 10, chain: HistoryChain(value: 11)), floor: 12, part: 1,
      parts: 3, payload: payload)
  }

  @Test func `A message survives a round trip`() throws {
    #expect(try Message(Self.message().encoded) == Self.message())
    #expect(try Message(Self.message([]).encoded) == Self.message([]))
  }

  @Test func `A change of any byte of a message is detected`() throws {
    let bytes = Self.message().encoded
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(try Message(damaged) == nil, "byte \(index)")
    }
    for count in bytes.indices { #expect(try Message(Array(bytes[..<count])) == nil) }
    #expect(try Message(bytes + [0]) == nil)
  }

  @Test func `A message of a later version is reported as unsupported, not as damage`() throws {
    var bytes = Self.message().encoded
    bytes[8] = 3
    let head = checksum(Array(bytes[..<116]))
    for byte in 0..<4 { bytes[116 + byte] = UInt8(truncatingIfNeeded: head >> (8 * byte)) }
    #expect(throws: StoreError.unsupportedVersion(file: "a message of the stream", version: 3)) {
      try Message(bytes)
    }
  }
}
