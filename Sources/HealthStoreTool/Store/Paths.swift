import Foundation
import SampleLog

/// Questions about paths, answered without changing anything.
enum Paths {
  /// The directories on the way to a path that do not exist, the path itself first.
  static func missing(_ path: String) -> [String] {
    var missing: [String] = []
    var path = path
    var status = stat()
    while !path.isEmpty, path != "/", lstat(path, &status) != 0, errno == ENOENT {
      missing.append(path)
      path = parent(path)
    }
    return missing
  }

  /// The directory that a path is in; empty for a name alone.
  private static func parent(_ path: String) -> String {
    let name = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let rest = name.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    if rest.isEmpty, path.hasPrefix("/") { return "/" }
    return String(decoding: rest.reversed(), as: UTF8.self)
  }

  /// Throws if a file or directory is to be created in the store whose data it will have.
  static func requireOutside(_ destination: String, of store: String) throws {
    guard let store = resolved(store), let start = directory(of: destination) else { return }
    guard start == store || start.hasPrefix(store + "/") else { return }
    throw Failure(
      "\(destination) is in the store itself; name a directory elsewhere.", status: .unusable)
  }

  /// The nearest existing directory of a path that may not exist, without links.
  private static func directory(of path: String) -> String? {
    resolved(parent(missing(path).last ?? path + "/x"))
  }

  /// Replaces a file's text in one step, so that no reader finds a part of it.
  ///
  /// Links are followed. Pipes and devices are written to.
  ///
  /// - Throws: A ``Failure`` if the text cannot be written, or if the file is in a store.
  static func write(_ text: String, to file: String) throws {
    var status = stat()
    // What a link leads to may not exist yet.
    let isRegular =
      stat(file, &status) == 0 ? status.st_mode & S_IFMT == S_IFREG : lstat(file, &status) != 0
    let target = resolved(file) ?? file
    if let directory = resolved(parent(target)),
      try PosixFileSystem().list(directory)?.contains(where: FileNames.isData) == true
    {
      throw Failure(
        "\(file) is in the store \(directory); name a file elsewhere.", status: .unusable)
    }
    do {
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: target), options: isRegular ? .atomic : [])
    } catch {
      throw Failure("\(file) cannot be written: \(error.localizedDescription)", status: .unwritable)
    }
  }

  /// The one path of what exists; nil for what does not.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
