/// The type names of child rows, which belong to a parent row of another type.
///
/// A child row stores its parent's identifier first in ``Extras/memberOf`` and has its parent's
/// dates, by which it is found. Deleting a parent in any way deletes its children in the same
/// commit. Child rows do not count as samples. A parent has a payload (possibly empty, with a kind
/// other than 0), unless the child type begins with ``anyParent``.
package enum ChildType {
  /// The prefix of child types whose child rows may have any row as parent.
  ///
  /// If such child types exist, deleting a row of the parent type searches for children whether or
  /// not the row has a payload.
  package static let anyParent = "+"

  /// The first byte of a child type's name, and the separator between its two parts.
  ///
  /// No other type name may begin with it.
  package static let mark: UInt8 = 0x1F

  /// Returns the type name of child rows for a parent type.
  package static func name(_ childType: String, of parent: String) -> [UInt8] {
    [mark] + parent.utf8 + [mark] + childType.utf8
  }

  /// Returns whether a name is that of a child type.
  package static func isName(_ name: [UInt8]) -> Bool { parent(name) != nil }

  /// Returns whether rows of a child type may have parents without a payload.
  package static func isOfAnyParent(_ name: [UInt8]) -> Bool {
    parent(name).map { name[($0.endIndex + 1)...].starts(with: anyParent.utf8) } ?? false
  }

  /// Returns the name of the parent type, or nil if `name` is not that of a child type.
  static func parent(_ name: [UInt8]) -> ArraySlice<UInt8>? {
    guard name.first == mark, let end = name.dropFirst().firstIndex(of: mark) else { return nil }
    return name[1..<end]
  }
}
