import SampleLog

extension Snapshot {
  /// Returns the live row of a subject that a member names: the sample itself, or the version that
  /// replaced it; nil if both are gone.
  ///
  /// Containers name their members for ever. Every reader follows a replacement by this function,
  /// so a member that is corrected, however it is saved, keeps its place.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when its block cannot be read.
  func row(of member: Member, subject: Symbol) throws -> Row? {
    if let row = try row(member.id) { return row.subject == subject ? row : nil }
    // A type without a number has no rows.
    guard !member.syncIdentifier.isEmpty, let type = symbols.find(Array(member.type.utf8)) else {
      return nil
    }
    return try row(
      SeriesKey(subject: subject, type: type), syncIdentifier: member.syncIdentifier)
  }

  /// Returns the live rows that members name, each once.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
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
