/// A type of data, such as `public.jpeg`, and the types it is a special case of.
///
/// Only the constants are known, as there is no database of types to which programs add theirs.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
  /// The identifier in reverse-DNS form.
  public let identifier: String

  init(known identifier: String) { self.identifier = identifier }

  /// Finds the type of an identifier, or returns `nil` when it is none of the constants.
  public init?(_ identifier: String) {
    guard let known = KnownType.byIdentifier[identifier.lowercased()] else { return nil }
    self.identifier = known.identifier
  }

  /// Makes the type of an identifier that a program or another declares, known or not.
  ///
  /// One that is not known conforms to itself alone; `parentType` is not looked at.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self = UTType(identifier) ?? UTType(known: identifier)
  }

  /// Makes the type of an identifier that the running program declares, known or not.
  ///
  /// One that is not known conforms to itself alone; `parentType` is not looked at.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(importedAs: identifier)
  }

  /// Finds the type of a file name extension, without its dot and in any case.
  ///
  /// Returns `nil` when none of the constants has it and conforms to `supertype`; Apple's makes a
  /// type that stands for the extension then.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    let wanted = filenameExtension.lowercased()
    self.init(conformingTo: supertype) { $0.extensions.contains(wanted) }
  }

  /// Finds the type of a MIME type, in any case and without parameters.
  ///
  /// Returns `nil` when none of the constants has it and conforms to `supertype`; Apple's makes a
  /// type that stands for the MIME type then.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let wanted = mimeType.lowercased()
    self.init(conformingTo: supertype) { $0.mimeTypes.contains(wanted) }
  }

  private init?(conformingTo supertype: UTType, where matches: (KnownType) -> Bool) {
    let found = KnownType.all.lazy.filter(matches).map { UTType(known: $0.identifier) }
    guard let type = found.first(where: { $0.conforms(to: supertype) }) else { return nil }
    self = type
  }

  /// The usual extension of files of the type, without a dot.
  public var preferredFilenameExtension: String? { known?.extensions.first }

  /// The usual MIME type.
  public var preferredMIMEType: String? { known?.mimeTypes.first }

  /// Whether the identifier is one of the constants and not one that a program made up.
  public var isDeclared: Bool { known != nil }

  /// Whether the type is the other or a special case of it.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

  /// Whether the type is a special case of the other.
  public func isSubtype(of type: UTType) -> Bool {
    guard let known else { return false }
    return known.parents.contains { UTType(known: $0).conforms(to: type) }
  }

  /// Whether the other is a special case of the type.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// All types that the type is a special case of.
  public var supertypes: Set<UTType> {
    let parents = (known?.parents ?? []).map { UTType(known: $0) }
    return parents.reduce(into: Set(parents)) { $0.formUnion($1.supertypes) }
  }

  /// The identifier.
  public var description: String { identifier }

  private var known: KnownType? { KnownType.byIdentifier[identifier.lowercased()] }
}

extension UTType: Codable {
  /// Reads an identifier, known or not.
  public init(from decoder: any Decoder) throws {
    self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
