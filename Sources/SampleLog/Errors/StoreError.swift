/// Why a store could not do what it was asked to.
///
/// Every error the engine throws is one of these, and each says what to look at.
public enum StoreError: Error, Hashable, Sendable {
  /// The operating system refused a file operation.
  case inputOutput(operation: String, path: String, code: Int32, message: String)
  /// Another handle has the directory open for writing.
  case locked(path: String, holder: String)
  /// Bytes on disk do not match their checksum or make no sense.
  case damaged(file: String, offset: Int, reason: String)
  /// A file was written by a newer version of this library.
  case unsupportedVersion(file: String, version: Int)
  /// There is no store in the directory.
  case notAStore(path: String)
  /// The store was opened for reading only.
  case readOnly
  /// The store has been closed.
  case closed
  /// A sample with this identifier is in the store already.
  case duplicate(Identifier)
  /// No live sample has this identifier.
  case notFound(Identifier)
  /// An argument is out of its range.
  case invalid(String)
  /// The place in the log lies below the floor: deletions since then have been forgotten.
  case anchorExpired(anchor: UInt64, floor: UInt64)
  /// The place in the log lies beyond its end: the store was restored from a backup.
  case anchorFromTheFuture(anchor: UInt64, end: UInt64)
  /// The place belongs to another store.
  case anchorOfAnotherStore
  /// The work was cancelled; nothing was changed.
  case cancelled
}

extension StoreError: CustomStringConvertible {
  /// One sentence that says what happened and, where there is something to do, what.
  public var description: String {
    switch self {
    case .inputOutput(let operation, let path, let code, let message):
      "Could not \(operation) \(path): \(message) (errno \(code))."
    case .locked(let path, let holder):
      "The store at \(path) is open for writing in \(holder); close it there or open read-only."
    case .damaged(let file, let offset, let reason):
      "\(file) is damaged at byte \(offset): \(reason)."
    case .unsupportedVersion(let file, let version):
      "\(file) has format version \(version), which this library is too old to read."
    case .notAStore(let path):
      "There is no store at \(path)."
    case .readOnly:
      "The store is open for reading only."
    case .closed:
      "The store has been closed."
    case .duplicate(let id):
      "A sample with the identifier \(id) is in the store already."
    case .notFound(let id):
      "No sample with the identifier \(id) is in the store."
    case .invalid(let reason):
      reason
    case .anchorExpired(let anchor, let floor):
      "The anchor \(anchor) has expired: deletions up to \(floor) have been forgotten; start anew."
    case .anchorFromTheFuture(let anchor, let end):
      "The anchor \(anchor) is beyond the end \(end) of the store, which may be a restored copy."
    case .anchorOfAnotherStore:
      "The anchor belongs to another store."
    case .cancelled:
      "The work was cancelled."
    }
  }
}
