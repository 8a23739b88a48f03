/// Confirms that replicas have the commits of a database, which its creator opens and closes.
///
/// Both functions are called on threads that may block.
package struct CommitConfirmer: Sendable {
  /// Throws if another copy of the store is the one that accepts writes.
  package var checkSaving: @Sendable () throws -> Void
  /// Returns once replicas have confirmed all commits up to a sequence number.
  ///
  /// It runs before a call that may have changed the store reports success.
  package var confirm: @Sendable (_ last: UInt64) throws -> Void

  package init(
    checkSaving: @escaping @Sendable () throws -> Void,
    confirm: @escaping @Sendable (_ last: UInt64) throws -> Void
  ) {
    self.checkSaving = checkSaving
    self.confirm = confirm
  }
}
