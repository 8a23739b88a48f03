/// A keyed hash of identifiers for the key index of one store.
///
/// Clients choose identifiers. Without a secret key they could choose identifiers that all fall
/// into the same bucket. The key is the store's identity.
package struct KeyHash: Sendable {
  private let first: UInt64
  private let second: UInt64

  /// A hash with a random key for tables in memory, unpredictable outside of this process.
  package static let ofThisProcess = KeyHash(
    Identifier(high: secureRandom(), low: secureRandom()))

  package init(_ storeID: Identifier) {
    func mix(_ value: UInt64) -> UInt64 {
      var bits = value &+ 0x9E37_79B9_7F4A_7C15
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    first = mix(storeID.high ^ mix(storeID.low))
    second = mix(first ^ storeID.low)
  }

  @inline(__always)
  package func callAsFunction(_ id: Identifier) -> UInt64 {
    let product = (id.high ^ first).multipliedFullWidth(by: id.low ^ second)
    var bits = product.high ^ product.low
    bits = (bits ^ (bits >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return bits ^ (bits >> 29)
  }
}

extension KeyHash {
  /// Hashes identifiers in groups and prefetches the memory that each lookup needs.
  ///
  /// Then calls a closure with the index and hash of each identifier until it returns false.
  ///
  /// The cache misses of a group overlap instead of adding up.
  @inline(__always)
  func forEachGroup(
    of ids: UnsafeBufferPointer<Identifier>, prefetch: (UInt64) -> Void,
    _ body: (Int, UInt64) throws -> Bool
  ) rethrows {
    let group = 32
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: group) { hashes in
      var begin = 0
      while begin < ids.count {
        let end = min(begin &+ group, ids.count)
        for index in begin..<end {
          let hash = self(ids[index])
          hashes[index &- begin] = hash
          prefetch(hash)
        }
        for index in begin..<end where try !body(index, hashes[index &- begin]) { return }
        begin = end
      }
    }
  }
}

/// Returns the 64-bit key under which a sample with a sync identifier is indexed.
///
/// The function is part of the file format and never changes.
package func syncKey(subject: [UInt8], type: [UInt8], syncIdentifier: [UInt8]) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  func fold(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  for part in [subject, type, syncIdentifier] {
    // The length prefix distinguishes ("a", "bc") from ("ab", "c").
    withUnsafeBytes(of: UInt64(part.count).littleEndian) { for byte in $0 { fold(byte) } }
    for byte in part { fold(byte) }
  }
  hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
  return hash ^ (hash >> 32)
}
