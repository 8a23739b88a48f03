import Foundation
import SampleLog

/// Opens stores for commands, and maps the engine's errors to failures that name the directory.
enum StoreOpening {
  /// Opens a store for reading, concurrently with a writer if there is one.
  static func reading(
    _ path: String, _ options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> Database {
    try opening(path) {
      try Database(path: path, mode: .readOnly, options: options, fileSystem: fileSystem)
    }
  }

  /// Runs a body that reads a store's files, and repeats it if a writer replaced files in the
  /// meantime.
  ///
  /// Sealing and compaction create files and remove old ones, which may happen between listing the
  /// directory and opening a file. The body runs at most 21 times.
  static func steadily<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    var names = dataNames(path)
    for _ in 0..<20 {
      do {
        return try body()
      } catch {
        let now = dataNames(path)
        if now == names { throw error }
        names = now
      }
    }
    return try body()
  }

  private static func dataNames(_ path: String) -> Set<String> {
    Set(
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter(FileNames.isData))
  }

  /// Returns options that report replication events and a nearly full disk on standard error.
  static func noting(_ console: Console) -> Database.Options {
    var options = Database.Options()
    options.onEvent = { event in
      switch event.kind {
      case .epochBegan, .streamUnreachable, .streamReachable, .streamServiceUnavailable,
        .streamServiceAvailable, .resynchronizing, .publishingGap, .replicaGivenUp,
        .diskNearlyFull:
        console.note("\(event)")
      default: break
      }
    }
    return options
  }

  /// Opens an existing store for writing.
  static func changing(
    _ path: String, _ options: Database.Options = Database.Options()
  ) throws -> Database {
    // Opening for writing would create a store under a mistyped name.
    try requireStore(path)
    return try opening(path) { try Database(path: path, options: options) }
  }

  /// Runs a body that adds to a store, which is created if it does not exist.
  ///
  /// If the body fails before anything was committed, a newly created store is removed.
  static func filling<Result>(
    _ path: String, _ console: Console, _ body: (Database) throws -> Result
  ) throws -> Result {
    try requireOwn(path)
    let made = Paths.missing(path)
    do {
      let database = try opening(path) { try Database(path: path, options: noting(console)) }
      defer { noteUnpublished(database, console) }
      var isEmpty = true
      do {
        let result = try body(database)
        database.drainEvents()
        try database.close()
        return result
      } catch {
        isEmpty = database.snapshot().end == 0
        try? database.close()
        if isEmpty, !made.isEmpty { removeFiles(path) }
        throw error
      }
    } catch {
      // `rmdir` removes only empty directories.
      for directory in made { rmdir(directory) }
      throw error
    }
  }

  /// Warns if the store has records that are not published yet.
  ///
  /// A command that changes a store does not connect to a stream, so its changes are on this disk
  /// only.
  static func noteUnpublished(_ database: Database, _ console: Console) {
    guard database.mode == .readWrite, let count = database.unpublishedRecordCount, count > 0
    else { return }
    console.note(
      "Up to \(Figures.count(count, "record")) of \(database.path) may wait to be published; no "
        + "replica has them before `healthstore primary` has published them.")
  }

  /// Throws if a directory is neither empty nor a store, because its files belong to another
  /// program.
  private static func requireOwn(_ path: String) throws {
    let names = try using(path) { try PosixFileSystem().list(path) } ?? []
    // Operating systems create hidden files and `lost+found`; the lock file alone is no store.
    let others = names.filter { !$0.hasPrefix(".") && $0 != "lost+found" && $0 != FileNames.lock }
    guard let other = others.min(), !others.contains(where: FileNames.isData),
      !others.contains(FileNames.unfinished), !others.contains(FileNames.backup)
    else { return }
    throw Failure(
      "\(path) is no store and has something in it, such as \(other); name an empty directory or "
        + "one that does not exist.", status: .unusable)
  }

  /// Removes the files of a store that never had a commit.
  private static func removeFiles(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where FileNames.isData(name) || name == FileNames.lock {
      unlink(path + "/" + name)
    }
  }

  /// Throws unless the directory holds a store.
  ///
  /// A directory that cannot be listed is reported as such and not as a missing store.
  static func requireStore(
    _ path: String, _ fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    let names = try using(path) { try fileSystem.list(path) }
    guard names?.contains(where: FileNames.isData) == true else { throw missing(path) }
  }

  /// Runs a body, and maps store errors to failures that distinguish unusable directories from
  /// damage.
  static func using<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw failure(error, path) ?? error
    }
  }

  private static func failure(_ error: StoreError, _ path: String) -> Failure? {
    switch error {
    case .inputOutput(_, let file, EACCES, _), .inputOutput(_, let file, EPERM, _):
      Failure(
        "This user may not use \(file.isEmpty ? path : file); its owner may, or change its mode.",
        status: .unusable)
    case .inputOutput(_, path, ENOTDIR, _), .inputOutput(_, path, EEXIST, _):
      Failure("\(path) is no directory; name the directory of a store.", status: .unusable)
    case .inputOutput:
      Failure(error.description, status: .unusable)
    case .damaged:
      Failure(
        "\(error) Run `healthstore verify \(path)` for all damage.", status: .damaged)
    case .locked(_, let holder):
      // The engine's error names the lock file, but the user named a directory.
      Failure(
        "The store at \(path) is open for writing in \(holder); end that first.", status: .unusable)
    default: nil
    }
  }

  private static func opening(_ path: String, _ open: () throws -> Database) throws -> Database {
    do {
      return try using(path, open)
    } catch StoreError.notAStore {
      throw missing(path)
    }
  }

  private static func missing(_ path: String) -> Failure {
    Failure(
      "There is no store at \(path); name another directory or fill it with `healthstore import`.",
      status: .unusable)
  }
}
