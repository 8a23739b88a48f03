import SampleLog
import Synchronization

/// The open stores of this process, one for each directory; connections share them.
enum Stores {
  private struct Entry {
    weak var store: Store?
  }

  private static let entries = Mutex<[String: Entry]>([:])

  static func open(_ path: String) throws -> Store {
    let path = try PosixFileSystem().absolute(path)
    return try entries.withLock { entries in
      // A store whose directory was replaced can no longer be read.
      if let known = entries[path]?.store, known.isInPlace { return known }
      let made = try Store(path: path)
      entries[path] = Entry(store: made)
      return made
    }
  }
}
