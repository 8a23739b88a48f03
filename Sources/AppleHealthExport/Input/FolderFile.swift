import Foundation

/// A file of an export's folder, which may be anything that a file system can have.
///
/// Only regular files and folders that lie in the folder are opened, directly or through a link: a
/// named pipe or a device may never end, and a link to the outside would bring in what is no part
/// of the export.
enum FolderFile {
  enum Kind {
    case file, folder
  }

  /// The kind of an entry and the path without links at which it is.
  ///
  /// - Parameters:
  ///   - path: The path of the entry.
  ///   - folder: The folder that it must lie in.
  /// - Returns: What it is, and where.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)`` with the path of the entry.
  static func resolve(
    _ path: String, in folder: String
  ) throws(ExportError) -> (kind: Kind, path: String) {
    guard let root = realPath(folder), let real = realPath(path) else {
      throw .cannotOpen(path: path, reason: errno == ENOENT ? "there is no such file" : reason())
    }
    guard real == root || real.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
      throw .cannotOpen(path: path, reason: "it is a link that leaves the folder of the export")
    }
    var status = stat()
    guard lstat(real, &status) == 0 else { throw .cannotOpen(path: path, reason: reason()) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return (.file, real)
    case S_IFDIR: return (.folder, real)
    default: throw .cannotOpen(path: path, reason: "it is no regular file")
    }
  }

  /// Opens a file for reading.
  ///
  /// - Throws: As ``resolve(_:in:)``, and when it is a folder or reading it is not allowed.
  static func open(_ path: String, in folder: String) throws(ExportError) -> FileInput {
    let (kind, real) = try resolve(path, in: folder)
    if kind == .folder { throw .cannotOpen(path: path, reason: "it is a folder") }
    // What became another kind of file meanwhile is neither followed nor waited for.
    let descriptor = Foundation.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: reason()) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotOpen(path: path, reason: "it is no regular file")
    }
    return FileInput(handle, byteCount: Int64(status.st_size))
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
