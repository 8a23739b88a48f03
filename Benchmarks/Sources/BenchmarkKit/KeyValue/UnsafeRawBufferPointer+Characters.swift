extension UnsafeRawBufferPointer {
  /// The bytes as C interfaces of key-value stores want them.
  @inline(__always)
  var characters: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
