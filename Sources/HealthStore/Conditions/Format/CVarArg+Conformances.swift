public import Foundation

// Programs write `date as CVarArg` for predicate arguments, because Apple's initialiser requires
// it. These conformances make that compile; our initialiser uses the values directly.

extension Date: @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  /// The seconds since the reference date.
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  /// The two words of the UUID.
  public var _cVarArgEncoding: [Int] {
    withUnsafeBytes(of: uuid) { bytes in
      stride(from: 0, to: bytes.count, by: MemoryLayout<Int>.size).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Int.self)
      }
    }
  }
}

extension NSObject: @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  /// The address of the object, as on Apple's platforms.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}
