import SampleLog
import Testing

/// The encoding of anchors, and invalid encodings.
@Suite struct AnchorTests {
  private static let origin = Anchor.Origin(
    storeID: Identifier(high: 0x0102_0304_0506_0708, low: .max), epoch: 7)

  static let anchors = [
    .beginning, Anchor(sequence: 5), Anchor(sequence: .max, origin: origin),
    Anchor(sequence: 300, initialLoadEnd: 1 << 40, origin: origin),
    Anchor(sequence: 300, initialLoadEnd: 1 << 40, horizon: 1 << 50, origin: origin),
    Anchor(sequence: 300, horizon: .max),
  ]

  @Test(arguments: anchors)
  func `An anchor survives a round trip, and no other bytes decode`(anchor: Anchor) {
    let bytes = anchor.encoded
    #expect(Anchor(encoded: bytes) == anchor)
    #expect(Anchor(encoded: bytes + [0]) == nil)
    for count in bytes.indices { #expect(Anchor(encoded: Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(Anchor(encoded: changed) == nil, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `Archives of versions 1 and 2 are read`() {
    let store: [UInt8] =
      [8, 7, 6, 5, 4, 3, 2, 1] + [UInt8](repeating: 255, count: 8) + [7, 0, 0, 0]
    let sequence: [UInt8] = [44, 1, 0, 0, 0, 0, 0, 0]
    let begin: [UInt8] = [0, 4, 0, 0, 0, 0, 0, 0]
    #expect(Anchor(encoded: [1, 0] + sequence) == Anchor(sequence: 300))
    #expect(
      Anchor(encoded: [1, 1] + store + sequence) == Anchor(sequence: 300, origin: Self.origin))
    #expect(
      Anchor(encoded: [2, 1] + store + sequence + begin)
        == Anchor(sequence: 300, initialLoadEnd: 1024, origin: Self.origin))
    #expect(Anchor(encoded: [1, 1] + store + sequence + begin) == nil)
    #expect(Anchor(encoded: [2, 1] + store + sequence) == nil)
    #expect(
      Anchor(encoded: [2, 0] + begin + sequence) == nil,
      "an initial load that begins after the anchor")
    #expect(Anchor(encoded: [4, 0] + sequence) == nil)
  }

  @Test func `An anchor's numbers are made consistent`() {
    let over = Anchor(sequence: 9, initialLoadEnd: 9, horizon: 3)
    #expect(over.initialLoadEnd == 0 && over.horizon == 9)
    let amid = Anchor(sequence: 9, initialLoadEnd: 12, horizon: 3)
    #expect(amid.initialLoadEnd == 12 && amid.horizon == 12)
  }
}
