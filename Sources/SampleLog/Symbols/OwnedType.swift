/// The names of types whose rows belong to rows of another type, their owners.
///
/// Such a row has its owner's identifier in front in ``Extras/memberOf``, and its owner's dates, by
/// which it is found. It goes with its owner in one commit, however that is deleted, and it does
/// not count as a sample. An owner has a payload, be it an empty one of a kind that is not 0,
/// unless the role begins with ``anyOwner``.
package enum OwnedType {
  /// What roles begin with whose rows may belong to any row: where there are such, deleting a row
  /// of their owners' type looks for them, payload or not.
  package static let anyOwner = "+"

  /// What the names begin with, and what stands between their two parts; no other type's name may
  /// begin with it.
  package static let mark: UInt8 = 0x1F

  /// The name of what rows of a type own in some role.
  package static func name(_ role: String, of owner: String) -> [UInt8] {
    [mark] + owner.utf8 + [mark] + role.utf8
  }

  /// Whether a name is one of these.
  package static func isName(_ name: [UInt8]) -> Bool { owner(name) != nil }

  /// Whether rows of that name may belong to rows without a payload.
  package static func isOfAnyOwner(_ name: [UInt8]) -> Bool {
    owner(name).map { name[($0.endIndex + 1)...].starts(with: anyOwner.utf8) } ?? false
  }

  /// The name of the owners' type; nil when a name is none of these.
  static func owner(_ name: [UInt8]) -> ArraySlice<UInt8>? {
    guard name.first == mark, let end = name.dropFirst().firstIndex(of: mark) else { return nil }
    return name[1..<end]
  }
}
