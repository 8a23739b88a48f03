/// The CRC-32C (Castagnoli) checksum at the end of batches and replies.
package enum WireChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82F6_3B78
    }
  }

  /// Returns the checksum of some bytes.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~0) { sum, byte in
        table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
      }
    }
  }
}
