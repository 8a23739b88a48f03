/// The UUID of a sample, as two big-endian halves.
///
/// Every identifier is derived from the sequence number, so any sample can be looked up without a
/// list of ten million identifiers.
package struct StreamIdentifier: Equatable, Sendable {
  package var high: UInt64 = 0
  package var low: UInt64 = 0

  package init() {}

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The valid version-4 UUID of the sample with this sequence number.
  @inline(__always)
  package init(sequence: UInt64) {
    let seed: UInt64 = 0x5555_4944_5345_4544
    high = SplitMix.mix(seed ^ sequence &* 2) & ~0xF000 | 0x4000
    low = SplitMix.mix(seed ^ (sequence &* 2 &+ 1)) & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63
  }

  /// Whether the sample with this sequence number is among the one in 200 that are deleted later.
  static func isDeletedLater(sequence: UInt64) -> Bool {
    SplitMix.mix(0x4445_4C45_5445_4421 ^ sequence).isMultiple(of: 200)
  }
}
