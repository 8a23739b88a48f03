internal import CPlatform

/// Returns the CRC-32C of bytes, continuing from `initial`.
package func checksum(_ bytes: UnsafeRawBufferPointer, _ initial: UInt32 = 0) -> UInt32 {
  cplatform_crc32c(initial, bytes.baseAddress, bytes.count)
}

package func checksum(_ bytes: [UInt8], _ initial: UInt32 = 0) -> UInt32 {
  bytes.withUnsafeBytes { checksum($0, initial) }
}
