/// The handles that a layer above keeps open although nobody uses them.
///
/// They must not be in the way of who opens their directory, so opening asks for them to be closed.
package enum IdleHandles {
  private static let closers = Locked<[@Sendable (_ path: String) -> Void]>([])

  /// Adds a function that closes the unused handles of a directory before it returns.
  ///
  /// It is called with an absolute path, on the thread that opens a database there.
  package static func add(_ closer: @escaping @Sendable (_ path: String) -> Void) {
    closers.withLock { $0.append(closer) }
  }

  /// Has the unused handles of a directory closed.
  static func close(_ path: String) {
    // An array of its own: ThreadSanitizer does not see that a shared one was let go of before it
    // is changed.
    for closer in closers.withLock({ $0.map { $0 } }) { closer(path) }
  }
}
