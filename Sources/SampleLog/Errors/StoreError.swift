/// An error thrown by a store.
///
/// The engine throws no other type of error. Each description names the affected object.
public enum StoreError: Error, Hashable, Sendable {
  /// The operating system refused a file operation.
  case inputOutput(operation: String, path: String, code: Int32, message: String)
  /// Another handle has the directory open for writing.
  case locked(path: String, holder: String)
  /// Bytes on disk do not match their checksum or cannot be decoded.
  case damaged(file: String, offset: Int, reason: String)
  /// A file was written by a newer version of this library.
  case unsupportedVersion(file: String, version: Int)
  /// The directory contains no store.
  case notAStore(path: String)
  /// The directory is a backup, which can be read and restored but not written to.
  case isBackup(path: String)
  /// The directory is a backup, a restored or a repaired store whose creation was not completed.
  case isUnfinished(path: String)
  /// The directory to create exists and is not empty.
  case notEmpty(path: String)
  /// A store's file name denotes a symbolic link, a directory or another object that is not a
  /// regular file.
  case notAFile(path: String)
  /// The directory or its lock file was removed, renamed or replaced while the handle was open.
  case replaced(path: String)
  /// The handle was opened by a process that this one was forked from.
  case forked(path: String)
  /// The store was opened for reading only.
  case readOnly
  /// The store has been closed.
  case closed
  /// The store already has a sample with this identifier.
  case duplicate(Identifier)
  /// No live sample has this identifier.
  case notFound(Identifier)
  /// An argument is out of its range.
  case invalid(String)
  /// The anchor lies below the floor: deletions after it have been forgotten.
  case anchorExpired(anchor: UInt64, floor: UInt64)
  /// All data of a subject was erased after the anchor of a feed of its series.
  case erased(subject: String, sequence: UInt64)
  /// The anchor lies beyond the history that this store shares with the store that created it.
  ///
  /// That history ends at this store's end, or where it was restored or repaired.
  case anchorFromTheFuture(anchor: UInt64, end: UInt64)
  /// The replica has not reached the anchor yet, which remains valid.
  ///
  /// The reader waits and reads again with the same anchor, or reads another copy.
  case notHereYet(anchor: UInt64, end: UInt64)
  /// The anchor belongs to another store or to a diverged copy of this one.
  case anchorOfAnotherStore
  /// A value exceeds its limit; a batch can be split.
  case limitExceeded(StoreLimit, actual: Int, allowed: Int)
  /// The store is a replica; commits go to its primary.
  case replica(path: String, primary: String)
  /// Another copy of the store was promoted with this epoch and accepts commits instead.
  case fenced(epoch: UInt32)
  /// The commits to apply do not follow the store's last commit: those in between are missing.
  case gap(end: UInt64, next: UInt64)
  /// The commits to apply belong to another history than the store's; the replica must be
  /// re-created from a backup of the primary.
  case diverged(sequence: UInt64)
  /// No sequence numbers are left.
  case exhausted
  /// The operation was cancelled and changed nothing.
  case cancelled
}

extension StoreError {
  static let unknownSymbol = invalid("A symbol must be one that the database's table gave.")
}

extension StoreError: CustomStringConvertible {
  /// A sentence that describes the error and, if possible, its remedy.
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
    case .isBackup(let path):
      "\(path) is a backup; restore it to another directory, or open it read-only."
    case .isUnfinished(let path):
      "\(path) was not finished; remove it and make it again."
    case .notEmpty(let path):
      "\(path) is not empty; name a directory that is, or one that does not exist."
    case .notAFile(let path):
      "\(path) is not a regular file; a store has no links, directories or devices."
    case .replaced(let path):
      "\(path) is not the directory that was opened any more; nothing was written. Open it again."
    case .forked(let path):
      "The store at \(path) was opened before this process was forked; open it here."
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
      "The anchor \(anchor) has expired: deletions up to \(floor) have been forgotten; start over."
    case .erased(let subject, let sequence):
      "Everything of the subject \"\(subject)\" was erased (at \(sequence)), after the anchor; "
        + "forget what was read, and start over if there may be something new."
    case .anchorFromTheFuture(let anchor, let end):
      "The anchor \(anchor) is beyond the end \(end) of the history shared with its store."
    case .notHereYet(let anchor, let end):
      "The anchor \(anchor) is not yet in this replica, which is \(anchor - min(anchor, end)) "
        + "behind; keep the anchor, and read again later or from another copy."
    case .anchorOfAnotherStore:
      "The anchor belongs to another store or to another copy of this one."
    case .limitExceeded(let limit, let actual, let allowed):
      "\(limit.text) are \(actual); at most \(allowed) are allowed."
    case .replica(let path, let primary):
      "The store at \(path) is a replica; save in its primary, \(primary)."
    case .fenced(let epoch):
      "Another copy of the store was promoted (epoch \(epoch)); save there."
    case .gap(let end, let next):
      "The commits between \(end) and \(next) are missing; read them again."
    case .diverged(let sequence):
      "The store's history is not its primary's at \(sequence); recreate the replica from a backup."
    case .exhausted:
      "The store has no sequence numbers left."
    case .cancelled:
      "The work was cancelled."
    }
  }
}
