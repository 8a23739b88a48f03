import Foundation

/// Access to the entries of an export's folder, which may be of any file type.
///
/// Only regular files and folders inside the export's folder are opened, directly or through a
/// link. Reading a named pipe or a device may never end, and a link out of the folder would read
/// data that is not part of the export.
enum FolderFile {
  enum Kind {
    case file, folder
  }

  /// Resolves the links of an entry, and returns its kind and its path without links.
  ///
  /// - Parameters:
  ///   - path: The path of the entry.
  ///   - folder: The folder that must contain it.
  /// - Returns: The kind of the entry, and its path without links.
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
  /// - Throws: ``ExportError/cannotOpen(path:reason:)``, as ``resolve(_:in:)`` does, and for a
  ///   folder or a file without read permission.
  static func open(_ path: String, in folder: String) throws(ExportError) -> FileInput {
    let (kind, real) = try resolve(path, in: folder)
    if kind == .folder { throw .cannotOpen(path: path, reason: "it is a folder") }
    // The entry may have been replaced since: a link is not followed, and a pipe does not block.
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
