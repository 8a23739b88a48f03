/// What a layer above does at certain moments of a database's life, and adds to its commits.
///
/// A database has any number of delegates, which it keeps and calls in the order in which they
/// were added. A delegate must not keep the database. Every method does nothing unless it is
/// implemented; each may be called on any thread, and under no lock of the database.
package protocol DatabaseDelegate: AnyObject, Sendable {
  /// Closes what the layer has open in a directory although nobody uses it, and returns when it is
  /// closed.
  ///
  /// Called before any database of this process is opened, for delegates added with
  /// ``Database/addOpeningDelegate(_:)``.
  ///
  /// - Parameter path: The absolute path of the directory.
  func databaseWillOpen(at path: String)

  /// Writes what is left to write.
  ///
  /// Called by ``Database/close()``, which then closes.
  func databaseWillClose()

  /// Begins what goes on while the database is observed.
  ///
  /// Called when an observation begins after there was none.
  func databaseIsObserved(_ database: Database)

  /// Takes note that commits up to a sequence number are on stable storage.
  ///
  /// Called after each sync, on the committing thread; it must return at once.
  func databaseDidSync(through sequence: UInt64)

  /// Returns the rows that a commit adds because of those that it deletes.
  ///
  /// Called for every commit of this handle that deletes rows, and again when the commit is
  /// prepared again. It must not commit anything.
  ///
  /// - Parameters:
  ///   - deletions: What the commit deletes.
  ///   - snapshot: What the commit is prepared from.
  /// - Returns: Rows with identifiers that no live row has, whose owners are alive and not among
  ///   those deleted.
  /// - Throws: What the commit then throws.
  func rows(following deletions: RowGroup, in snapshot: Snapshot) throws -> [FollowingRow]
}

extension DatabaseDelegate {
  package func databaseWillOpen(at path: String) {}
  package func databaseWillClose() {}
  package func databaseIsObserved(_ database: Database) {}
  package func databaseDidSync(through sequence: UInt64) {}
  package func rows(
    following deletions: RowGroup, in snapshot: Snapshot
  ) throws -> [FollowingRow] { [] }
}

/// The delegates of a database, which change seldom and are read at every sync.
final class DatabaseDelegates: Sendable {
  /// Replaced as a whole, so that reading takes a reference and nothing is copied.
  private final class Members: Sendable {
    let all: [any DatabaseDelegate]

    init(_ all: [any DatabaseDelegate]) { self.all = all }
  }

  private let members = Locked(Members([]))

  var all: [any DatabaseDelegate] { members.withLock { $0 }.all }

  /// Changes the list, and returns what the function does.
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

  /// Has a delegate, which is not kept, called whenever this process opens a database.
  package static func addOpeningDelegate(_ delegate: any DatabaseDelegate) {
    opening.withLock { $0.append(OpeningDelegate(delegate)) }
  }

  static func willOpen(at path: String) {
    // An array of its own: ThreadSanitizer does not see that a shared one was let go of before it
    // is changed.
    for one in opening.withLock({ $0.map(\.delegate) }) { one?.databaseWillOpen(at: path) }
  }

  /// Adds a delegate.
  package func add(_ delegate: any DatabaseDelegate) { delegates.change { $0.append(delegate) } }

  /// Returns the delegate of a type, or adds the one that a function makes.
  package func delegate<Delegate: DatabaseDelegate>(_ make: () -> Delegate) -> Delegate {
    delegates.change { all in
      for case let known as Delegate in all { return known }
      let made = make()
      all.append(made)
      return made
    }
  }
}
