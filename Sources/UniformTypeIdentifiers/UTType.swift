/// A type of data, such as `public.jpeg`, and its supertypes.
///
/// Only the constants are known, because there is no registry to which programs add types.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
  /// The identifier in reverse-DNS form.
  public let identifier: String

  init(known identifier: String) { self.identifier = identifier }

  /// Creates the type with an identifier; returns nil if it is not one of the constants.
  public init?(_ identifier: String) {
    guard let known = KnownType.byIdentifier[identifier.lowercased()] else { return nil }
    self.identifier = known.identifier
  }

  /// Creates a type for an identifier that any program declares, whether known or not.
  ///
  /// An unknown type conforms only to itself; `parentType` is ignored.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self = UTType(identifier) ?? UTType(known: identifier)
  }

  /// Creates a type for an identifier that the running program declares, whether known or not.
  ///
  /// An unknown type conforms only to itself; `parentType` is ignored.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(importedAs: identifier)
  }

  /// Creates the type for a file name extension, without a dot and ignoring case.
  ///
  /// Returns nil if no constant has the extension and conforms to `supertype`. Apple's initialiser
  /// returns a dynamic type in this case.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    let wanted = filenameExtension.lowercased()
    self.init(conformingTo: supertype) { $0.extensions.contains(wanted) }
  }

  /// Creates the type for a MIME type without parameters, ignoring case.
  ///
  /// Returns nil if no constant has the MIME type and conforms to `supertype`. Apple's initialiser
  /// returns a dynamic type in this case.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let wanted = mimeType.lowercased()
    self.init(conformingTo: supertype) { $0.mimeTypes.contains(wanted) }
  }

  private init?(conformingTo supertype: UTType, where matches: (KnownType) -> Bool) {
    let found = KnownType.all.lazy.filter(matches).map { UTType(known: $0.identifier) }
    guard let type = found.first(where: { $0.conforms(to: supertype) }) else { return nil }
    self = type
  }

  /// The preferred file name extension of the type, without a dot.
  public var preferredFilenameExtension: String? { known?.extensions.first }

  /// The preferred MIME type of the type.
  public var preferredMIMEType: String? { known?.mimeTypes.first }

  /// Whether the identifier is one of the constants.
  public var isDeclared: Bool { known != nil }

  /// Returns whether the type is equal to another or a subtype of it.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

  /// Returns whether the type is a subtype of another.
  public func isSubtype(of type: UTType) -> Bool {
    guard let known else { return false }
    return known.parents.contains { UTType(known: $0).conforms(to: type) }
  }

  /// Returns whether another type is a subtype of this one.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// All direct and indirect supertypes of the type.
  public var supertypes: Set<UTType> {
    let parents = (known?.parents ?? []).map { UTType(known: $0) }
    return parents.reduce(into: Set(parents)) { $0.formUnion($1.supertypes) }
  }

  /// The identifier.
  public var description: String { identifier }

  private var known: KnownType? { KnownType.byIdentifier[identifier.lowercased()] }
}

extension UTType: Codable {
  /// Decodes an identifier, whether known or not.
  public init(from decoder: any Decoder) throws {
    self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
