/// A hook for a layer above into the life cycle and commits of a database.
///
/// A database retains any number of delegates and calls them in the order in which they were added.
/// A delegate must not retain the database. Every method has an empty default implementation. Each
/// may be called on any thread, under no lock of the database.
package protocol DatabaseDelegate: AnyObject, Sendable {
  /// Closes an idle database that the layer holds open in a directory, and waits for completion.
  ///
  /// Called before this process opens any database, for delegates added with
  /// ``Database/addOpeningDelegate(_:)``.
  ///
  /// - Parameter path: The absolute path of the directory.
  func databaseWillOpen(at path: String)

  /// Writes pending changes.
  ///
  /// Called by ``Database/close()`` before it closes the database.
  func databaseWillClose()

  /// Starts the work that is needed while the database is observed.
  ///
  /// Called when an observation begins and no other is active.
  func databaseIsObserved(_ database: Database)

  /// Receives the sequence number through which commits are on stable storage.
  ///
  /// Called after each sync on the committing thread; it must return promptly.
  func databaseDidSync(through sequence: UInt64)

  /// Returns the dependent rows that a commit adds because of the rows that it deletes.
  ///
  /// Called for every commit of this handle that deletes rows, and again if the commit is prepared
  /// again. It must not commit.
  ///
  /// - Parameters:
  ///   - deletions: The deletions of the commit.
  ///   - snapshot: The snapshot from which the commit is prepared.
  /// - Returns: Rows with new identifiers, whose parents are live and not among the deleted rows.
  /// - Throws: An error, which the commit rethrows.
  func dependentRows(for deletions: RowGroup, in snapshot: Snapshot) throws -> [DependentRow]
}

extension DatabaseDelegate {
  package func databaseWillOpen(at path: String) {}
  package func databaseWillClose() {}
  package func databaseIsObserved(_ database: Database) {}
  package func databaseDidSync(through sequence: UInt64) {}
  package func dependentRows(
    for deletions: RowGroup, in snapshot: Snapshot
  ) throws -> [DependentRow] { [] }
}

/// The delegates of a database, which change rarely and are read after every sync.
final class DatabaseDelegates: Sendable {
  /// An immutable list, replaced as a whole, so that readers only retain a reference.
  private final class Members: Sendable {
    let all: [any DatabaseDelegate]

    init(_ all: [any DatabaseDelegate]) { self.all = all }
  }

  private let members = Locked(Members([]))

  var all: [any DatabaseDelegate] { members.withLock { $0 }.all }

  /// Modifies the list and returns the result of `body`.
  func change<Result>(_ body: (inout [any DatabaseDelegate]) -> Result) -> Result {
    members.withLock { members in
      var all = members.all
      defer { members = Members(all) }
      return body(&all)
    }
  }
}

extension Database {
  private final class OpeningDelegate: Sendable {
    weak let delegate: (any DatabaseDelegate)?

    init(_ delegate: any DatabaseDelegate) { self.delegate = delegate }
  }

  private static let opening = Locked<[OpeningDelegate]>([])

  /// Adds a delegate, held weakly, that is called whenever this process opens a database.
  package static func addOpeningDelegate(_ delegate: any DatabaseDelegate) {
    opening.withLock { $0.append(OpeningDelegate(delegate)) }
  }

  static func willOpen(at path: String) {
    // A separate array: ThreadSanitizer does not recognise that a shared one was released before it
    // is modified.
    for one in opening.withLock({ $0.map(\.delegate) }) { one?.databaseWillOpen(at: path) }
  }

  /// Adds a delegate.
  package func add(_ delegate: any DatabaseDelegate) { delegates.change { $0.append(delegate) } }

  /// Returns the delegate of a type, or adds the one that `make` returns.
  package func delegate<Delegate: DatabaseDelegate>(_ make: () -> Delegate) -> Delegate {
    delegates.change { all in
      for case let known as Delegate in all { return known }
      let made = make()
      all.append(made)
      return made
    }
  }
}
