package import SampleLog

/// Whoever has a store open for health stores and keeps copies of it elsewhere.
///
/// Both functions are called on threads that may wait.
package struct StoreHost: Sendable {
  /// Throws where another copy is the one to save in.
  package var checkSaving: @Sendable () throws -> Void
  /// Returns once all commits up to a sequence number are where the host wants them; called before
  /// a call that may have changed the store reports success.
  package var confirm: @Sendable (_ last: UInt64) throws -> Void

  package init(
    checkSaving: @escaping @Sendable () throws -> Void,
    confirm: @escaping @Sendable (_ last: UInt64) throws -> Void
  ) {
    self.checkSaving = checkSaving
    self.confirm = confirm
  }
}

extension HealthDatabase {
  /// Takes a database that its host has open, and closes.
  package convenience init(_ database: Database, host: StoreHost) {
    self.init(OpenStore(database, host: host))
  }
}
