/// A byte string as a dictionary key, hashed in one call instead of byte by byte.
package struct ByteKey: Hashable {
  let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    right.bytes.withUnsafeBytes { left.bytes.equals($0) }
  }

  package func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
