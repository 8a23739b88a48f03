import Foundation
import SampleLog

/// Opens stores the way that commands need them.
enum StoreOpening {
  /// A store to read, also beside a writer.
  static func reading(_ path: String) throws -> Database {
    try opening(path) { try Database(path: path, mode: .readOnly) }
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
    Set(((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter(isData))
  }

  /// A store to change, which must be there.
  static func changing(_ path: String) throws -> Database {
    // Opening for writing would make a store out of a mistyped name.
    try requireStore(path)
    return try opening(path) { try Database(path: path) }
  }

  /// A store to fill, which is made when it is not there.
  static func filling(_ path: String) throws -> Database {
    try opening(path) { try Database(path: path) }
  }

  static func requireStore(_ path: String) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard names.contains(where: isData) else { throw missing(path) }
  }

  /// Whether a name is that of a log or a segment.
  static func isData(_ name: String) -> Bool {
    FileNames.logFirst(name) != nil || FileNames.segmentRange(name) != nil
  }

  /// Does something with whole directories; what cannot be used is told apart from what is damaged.
  static func using<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      if case .inputOutput = error { throw Failure(error.description, status: .unusable) }
      if case .damaged = error {
        throw Failure(
          "\(error) Run `healthstore verify \(path)` for all damage.", status: .failed)
      }
      throw error
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
