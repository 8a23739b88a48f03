import Foundation
import SampleLog

/// The file status of a store's directory and of its newest log.
///
/// Refreshing a store lists its directory, which takes longer than a small query. Equal traces
/// prove that no commit was made in between: a commit extends the newest log, and every other
/// change adds or replaces files.
struct DirectoryTrace: Equatable {
  private struct Status: Equatable {
    var device: UInt64
    var number: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      size = Int(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }
  }

  private let log: String
  private let directory: Status
  private let end: Status

  /// Creates the trace of a directory, or returns nil if the last change is so recent that another
  /// change might leave the same modification times.
  ///
  /// Pass the path of the newest log as `known` to skip listing the directory.
  init?(_ path: String, log known: String? = nil) {
    let latest = Int(time(nil)) - 2
    guard let directory = Status(path), directory.seconds < latest,
      let log = known ?? Self.newestLog(path), let end = Status(log), end.seconds < latest
    else { return nil }
    self.directory = directory
    self.log = log
    self.end = end
  }

  /// Returns whether the directory and the log have not changed since the trace.
  func isCurrent(_ path: String) -> Bool { DirectoryTrace(path, log: log) == self }

  private static func newestLog(_ path: String) -> String? {
    guard let names = try? PosixFileSystem().list(path) else { return nil }
    return names.filter { $0.hasSuffix(".log") && FileNames.isData($0) }.max().map {
      path + "/" + $0
    }
  }
}
