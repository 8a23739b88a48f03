public import Foundation

/// A code in a clinical code system, such as an RxNorm code for a medication.
open class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The code system, usually a URL.
  public let system: String

  /// The version of the code system, if relevant.
  public let version: String?

  /// The code.
  public let code: String

  /// Creates a coding.
  public init(system: String, version: String?, code: String) {
    self.system = system
    self.version = version
    self.code = code
    super.init()
  }

  /// Decodes a coding, or returns nil if the archive has none.
  public required convenience init?(coder: NSCoder) {
    guard let system = coder.decodeString("system"), let code = coder.decodeString("code") else {
      return nil
    }
    self.init(system: system, version: coder.decodeString("version"), code: code)
  }

  /// Encodes every field.
  open func encode(with coder: NSCoder) {
    coder.encodeString(system, "system")
    coder.encodeString(version, "version")
    coder.encodeString(code, "code")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same system, version and code.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKClinicalCoding else { return false }
    return system == other.system && version == other.version && code == other.code
  }

  /// A hash of the code.
  open override var hash: Int { code.hashValue }
}
