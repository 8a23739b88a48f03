import Foundation
import SampleLog

/// Resolves paths and replaces files.
enum Paths {
  /// Returns the missing directories of a path, deepest first, beginning with the path itself.
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

  /// Returns the parent directory of a path, or an empty string for a bare name.
  private static func parent(_ path: String) -> String {
    let name = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let rest = name.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    if rest.isEmpty, path.hasPrefix("/") { return "/" }
    return String(decoding: rest.reversed(), as: UTF8.self)
  }

  /// Throws if a destination, such as that of a backup, lies inside the store that is copied.
  static func requireOutside(_ destination: String, of store: String) throws {
    guard let store = resolved(store), let start = directory(of: destination) else { return }
    guard start == store || start.hasPrefix(store + "/") else { return }
    throw Failure(
      "\(destination) is in the store itself; name a directory elsewhere.", status: .unusable)
  }

  /// Returns the path or its nearest existing ancestor, with symbolic links resolved.
  private static func directory(of path: String) -> String? {
    resolved(parent(missing(path).last ?? path + "/x"))
  }

  /// Replaces a file's text atomically, so that a reader never sees a partial file.
  ///
  /// Symbolic links are followed. Pipes and devices are written in place.
  ///
  /// - Throws: A ``Failure`` if the text cannot be written, or if the file is in a store.
  static func write(_ text: String, to file: String) throws {
    var status = stat()
    // Writing in place through a dangling symbolic link creates its target.
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

  /// Returns the canonical form of a path, or nil if it does not exist.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
