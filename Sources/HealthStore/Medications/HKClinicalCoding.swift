public import Foundation

/// A code of a system of codes, such as RxNorm's for a medication.
open class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The system, mostly as an address.
  public let system: String

  /// The version of the system, if it matters.
  public let version: String?

  /// The code.
  public let code: String

  /// Makes a code.
  public init(system: String, version: String?, code: String) {
    self.system = system
    self.version = version
    self.code = code
    super.init()
  }

  /// Reads a code from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    guard let system = coder.decodeString("system"), let code = coder.decodeString("code") else {
      return nil
    }
    self.init(system: system, version: coder.decodeString("version"), code: code)
  }

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encodeString(system, "system")
    coder.encodeString(version, "version")
    coder.encodeString(code, "code")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same code of the same version of the same system.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKClinicalCoding else { return false }
    return system == other.system && version == other.version && code == other.code
  }

  /// A hash of the code.
  open override var hash: Int { code.hashValue }
}
