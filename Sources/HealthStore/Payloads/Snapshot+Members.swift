import SampleLog

// Resolves references to samples.
extension Snapshot {
  /// Returns the live row that a member reference resolves to: the sample itself, or the version
  /// that replaced it.
  ///
  /// Returns nil if both were deleted or belong to another subject.
  ///
  /// Containers never update their references. Every reader resolves them with this function, so a
  /// corrected member remains in its containers.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the block cannot be read.
  func row(of member: Member, subject: Symbol) throws -> Row? {
    if let row = try row(member.id) { return row.subject == subject ? row : nil }
    // A type without a symbol has no rows.
    guard !member.syncIdentifier.isEmpty, let type = symbols.find(Array(member.type.utf8)) else {
      return nil
    }
    return try row(
      SeriesKey(subject: subject, type: type), syncIdentifier: member.syncIdentifier)
  }

  /// Returns the distinct live rows that member references resolve to.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  func rows(of members: [Member], subject: Symbol) throws -> [Row] {
    var seen: Set<Identifier> = []
    return try members.compactMap { member in
      guard let row = try row(of: member, subject: subject), seen.insert(row.id).inserted else {
        return nil
      }
      return row
    }
  }
}
