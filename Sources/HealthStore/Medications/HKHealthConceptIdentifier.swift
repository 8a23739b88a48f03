public import Foundation

/// The domain of a health concept.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
  /// The name of the domain.
  public var rawValue: String

  /// Creates a domain from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A medication.
  public static let medication = Self(rawValue: "medication")
}

/// A globally unique identifier of a health concept, such as a medication.
open class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The domain of the concept.
  public let domain: HKHealthConceptDomain

  /// The name, unique within the domain.
  package let name: String

  /// Creates an identifier from a name that is unique within its domain.
  ///
  /// This is an addition: HealthKit creates identifiers itself, and their names are opaque.
  public init(domain: HKHealthConceptDomain, name: String) {
    self.domain = domain
    self.name = name
    super.init()
  }

  /// Decodes an identifier, or returns nil if the archive has none.
  public required convenience init?(coder: NSCoder) {
    guard let domain = coder.decodeString("domain"), let name = coder.decodeString("name") else {
      return nil
    }
    self.init(domain: HKHealthConceptDomain(rawValue: domain), name: name)
  }

  /// Encodes the domain and the name.
  open func encode(with coder: NSCoder) {
    coder.encodeString(domain.rawValue, "domain")
    coder.encodeString(name, "name")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both identify the same concept.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKHealthConceptIdentifier else { return false }
    return domain == other.domain && name == other.name
  }

  /// A hash of the domain and the name.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(name)
    return hasher.finalize()
  }

  /// The domain and the name.
  ///
  /// Predicates compare this string.
  open override var description: String { "\(domain.rawValue)/\(name)" }
}
