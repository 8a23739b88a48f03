/// A running checksum over 64-bit words that depends on their order.
package struct Checksum: Equatable, Codable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func fold(_ word: UInt64) {
    let bits = (value ^ word) &* 0x100_0000_01B3
    value = bits ^ bits >> 29
  }

  /// Adds another checksum.
  ///
  /// The order of several such additions does not matter.
  mutating func add(_ other: Checksum) { value &+= other.value }

  /// Sixteen hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
