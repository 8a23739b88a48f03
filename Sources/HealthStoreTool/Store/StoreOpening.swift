import Foundation
import SampleLog

/// Opens stores the way that commands need them.
enum StoreOpening {
  /// A store to read, also beside a writer.
  static func reading(
    _ path: String, _ options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> Database {
    try opening(path) {
      try Database(path: path, mode: .readOnly, options: options, fileSystem: fileSystem)
    }
  }

  /// Does something that reads a store's files; again when they were replaced meanwhile.
  ///
  /// A writer that seals or compacts makes new files and removes old ones, which may come between
  /// listing a directory and opening what is in it.
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

  /// A store to change, which must be there.
  static func changing(
    _ path: String, _ options: Database.Options = Database.Options()
  ) throws -> Database {
    // Opening for writing would make a store out of a mistyped name.
    try requireStore(path)
    return try opening(path) { try Database(path: path, options: options) }
  }

  /// Fills a store, which is made when it is not there.
  ///
  /// When that fails before anything was saved, a store that was made for it is removed again.
  static func filling<Result>(
    _ path: String, _ console: Console, _ body: (Database) throws -> Result
  ) throws -> Result {
    try requireOwn(path)
    let made = Paths.missing(path)
    do {
      let database = try opening(path) { try Database(path: path) }
      defer { noteUnpublished(database, console) }
      var isEmpty = true
      do {
        let result = try body(database)
        try database.close()
        return result
      } catch {
        isEmpty = database.snapshot().end == 0
        try? database.close()
        if isEmpty, !made.isEmpty { removeFiles(path) }
        throw error
      }
    } catch {
      // Only empty ones can be removed this way.
      for directory in made { rmdir(directory) }
      throw error
    }
  }

  /// Says that what a store has waits to be published, if it does.
  ///
  /// A command that changes a store knows of no stream, and its changes are on this disk only.
  static func noteUnpublished(_ database: Database, _ console: Console) {
    guard database.mode == .readWrite, let count = database.unpublishedRecordCount, count > 0
    else { return }
    console.note(
      "Up to \(Figures.count(count, "record")) of \(database.path) may wait to be published; no "
        + "replica has them before `healthstore primary` has published them.")
  }

  /// Throws for a directory that has something in it and is no store: somebody else's.
  private static func requireOwn(_ path: String) throws {
    let names = try using(path) { try PosixFileSystem().list(path) } ?? []
    // Those that systems put everywhere are nobody's.
    let others = names.filter { !$0.hasPrefix(".") && $0 != "lost+found" && $0 != FileNames.lock }
    guard let other = others.min(), !others.contains(where: FileNames.isData),
      !others.contains(FileNames.unfinished), !others.contains(FileNames.backup)
    else { return }
    throw Failure(
      "\(path) is no store and has something in it, such as \(other); name an empty directory or "
        + "one that does not exist.", status: .unusable)
  }

  /// Removes the files of a store in which nothing was ever saved.
  private static func removeFiles(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where FileNames.isData(name) || name == FileNames.lock {
      unlink(path + "/" + name)
    }
  }

  /// Throws unless there is a store; one that may not be looked at is not taken for absent.
  static func requireStore(
    _ path: String, _ fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    let names = try using(path) { try fileSystem.list(path) }
    guard names?.contains(where: FileNames.isData) == true else { throw missing(path) }
  }

  /// Works with whole directories, and separates what cannot be used from what is damaged.
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
      // The engine names the file that is locked, which means nothing to who named a directory.
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
