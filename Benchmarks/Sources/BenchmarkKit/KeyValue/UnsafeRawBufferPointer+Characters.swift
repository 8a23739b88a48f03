extension UnsafeRawBufferPointer {
  /// The bytes in the form of the C interfaces of key-value stores.
  @inline(__always)
  var characters: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
