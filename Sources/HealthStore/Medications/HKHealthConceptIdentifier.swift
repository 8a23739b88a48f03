public import Foundation

/// What kind of thing a health concept is.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
  /// The kind's name.
  public var rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A medication.
  public static let medication = Self(rawValue: "medication")
}

/// What names a health concept, such as a medication, the same in all places.
open class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What kind of thing it names.
  public let domain: HKHealthConceptDomain

  /// The name within the domain.
  package let name: String

  /// Makes an identifier of a name that is unique within its domain.
  ///
  /// Our addition: HealthKit's are given to programs, and have no name to be seen.
  public init(domain: HKHealthConceptDomain, name: String) {
    self.domain = domain
    self.name = name
    super.init()
  }

  /// Reads an identifier from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    guard let domain = coder.decodeString("domain"), let name = coder.decodeString("name") else {
      return nil
    }
    self.init(domain: HKHealthConceptDomain(rawValue: domain), name: name)
  }

  /// Archives domain and name.
  open func encode(with coder: NSCoder) {
    coder.encodeString(domain.rawValue, "domain")
    coder.encodeString(name, "name")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both name the same concept.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKHealthConceptIdentifier else { return false }
    return domain == other.domain && name == other.name
  }

  /// A hash of domain and name.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(name)
    return hasher.finalize()
  }

  /// Domain and name, by which predicates compare.
  open override var description: String { "\(domain.rawValue)/\(name)" }
}
