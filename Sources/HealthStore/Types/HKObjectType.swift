public import Foundation

/// The type of a stored object; the base class of all types.
///
/// Types form a fixed set, each with an identifier. Create them with the factory functions or an
/// initialiser such as `HKQuantityType(.heartRate)`. Types are immutable and safe to share between
/// threads. Two types are equal if their identifiers are equal.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  let info: TypeInfo

  /// The type's identifier, as spelled in Apple's exports.
  public var identifier: String { info.identifier }

  init(info: TypeInfo) {
    self.info = info
    super.init()
  }

  /// Decodes a type by its identifier.
  ///
  /// Returns nil if the archive has no identifier, or if no type of this class has it.
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

  /// Encodes the type's identifier.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object is the same type.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObjectType else { return false }
    return info === other.info
  }

  /// A hash of the identifier.
  open override var hash: Int { info.hash }

  /// The type's identifier.
  open override var description: String { identifier }

  /// Returns whether access is authorized per object rather than per type.
  ///
  /// True for vision prescriptions only.
  open func requiresPerObjectAuthorization() -> Bool { false }
}
