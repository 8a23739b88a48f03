public import Foundation

/// What a stored object is: the root of all types.
///
/// There is one set of types, named by identifiers; make them with the factory functions or with
/// an initialiser such as `HKQuantityType(.heartRate)`. Types are immutable, equal when their
/// identifiers are, and safe to share.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  let info: TypeInfo

  /// The type's identifier, as Apple's exports spell it.
  public var identifier: String { info.identifier }

  init(info: TypeInfo) {
    self.info = info
    super.init()
  }

  /// Reads a type from an archive, by its identifier.
  ///
  /// Returns nil when the archive has no identifier or one that names no type of this class.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "identifier"),
      let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let known = HKObjectType.make(identifier: String(describing: identifier))
    else { return nil }
    info = known.info
    super.init()
    guard known.isKind(of: type(of: self)) else { return nil }
  }

  /// Writes the type's identifier to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the type itself, because types are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object is the same type.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObjectType else { return false }
    return info === other.info
  }

  /// A hash of the identifier.
  open override var hash: Int { info.hash }

  /// The type's identifier.
  open override var description: String { identifier }

  /// Whether access is granted object by object instead of type by type.
  ///
  /// True for vision prescriptions only.
  open func requiresPerObjectAuthorization() -> Bool { false }
}
