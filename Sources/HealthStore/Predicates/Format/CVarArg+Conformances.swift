public import Foundation

// Programs write `date as CVarArg` for a predicate's arguments, because Apple's initialiser asks
// for it. These conformances let them compile; our initialiser takes the values as they are.

extension Date: @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  /// The seconds since the reference date.
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg {
  // swift-format-ignore: NoLeadingUnderscores
  /// The identifier's two words.
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
  /// The object's address, as on Apple's platforms.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}
