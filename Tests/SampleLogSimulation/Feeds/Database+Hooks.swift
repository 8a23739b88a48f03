package import SampleLog

/// A delegate that calls functions.
private final class Hooks: DatabaseDelegate {
  let isObserved: @Sendable () -> Void
  let didSync: @Sendable (UInt64) -> Void
  let dependentRows: @Sendable (RowGroup, Snapshot) throws -> [DependentRow]

  init(
    isObserved: @escaping @Sendable () -> Void = {},
    didSync: @escaping @Sendable (UInt64) -> Void = { _ in },
    dependentRows: @escaping @Sendable (RowGroup, Snapshot) throws -> [DependentRow] = { _, _ in []
    }
  ) {
    self.isObserved = isObserved
    self.didSync = didSync
    self.dependentRows = dependentRows
  }

  func databaseIsObserved(_ database: Database) { isObserved() }
  func databaseDidSync(through sequence: UInt64) { didSync(sequence) }

  func dependentRows(for deletions: RowGroup, in snapshot: Snapshot) throws -> [DependentRow] {
    try dependentRows(deletions, snapshot)
  }
}

extension Database {
  /// Calls a function when an observation begins after there was none.
  package func whenObserved(_ body: @escaping @Sendable () -> Void) {
    add(Hooks(isObserved: body))
  }

  /// Calls a function after each sync.
  package func whenDurable(_ body: @escaping @Sendable (UInt64) -> Void) {
    add(Hooks(didSync: body))
  }

  /// Adds the rows that a function returns to every commit that deletes rows.
  package func addCommitHook(
    _ body: @escaping @Sendable (RowGroup, Snapshot) throws -> [DependentRow]
  ) {
    add(Hooks(dependentRows: body))
  }
}
