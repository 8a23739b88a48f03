public import Foundation

// Programs write `date as CVarArg` for a predicate's arguments, because Apple's initialiser asks
// for it. These conformances let them compile; our initialiser takes the values as they are.

extension Date: @retroactive CVarArg {
  /// The seconds since the reference date.
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg {
  /// The first bytes of the identifier.
  public var _cVarArgEncoding: [Int] { [hashValue] }
}

extension NSObject: @retroactive CVarArg {
  /// The object's address, as on Apple's platforms.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}
