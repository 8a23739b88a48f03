import Foundation

/// Access to the export at a path: in a file, an unpacked folder, an archive or standard input.
///
/// Apple names the document in the phone's language (`export.xml`, `导出.xml`) and adds a clinical
/// document, `export_cda.xml`, to its folder. The export is therefore recognised by its content.
public enum ExportSource {
  /// Opens an export for reading.
  ///
  /// - Parameter path: An XML file, a folder that contains one (directly or one folder down), a
  ///   zip archive, or `-` for standard input. An archive is read through the `unzip` program.
  /// - Returns: The document's bytes, whose length is known except for standard input and pipes. In
  ///   a folder, only regular files inside it are opened, directly or through links.
  /// - Throws: ``ExportError``. The content of a single XML file is checked only when it is read.
  public static func open(_ path: String) throws(ExportError) -> any ExportInput {
    try contents(of: path).document
  }

  /// Opens an export and lists the files that accompany its document.
  ///
  /// - Parameters:
  ///   - path: As for ``open(_:)``; standard input has no files.
  ///   - isCancelled: Called repeatedly while standard input or a single file is read. Returning
  ///     true ends reading with ``ExportError/cancelled``, even while a pipe has no data.
  /// - Returns: The document's bytes, and the files of routes, electrocardiograms and clinical
  ///   records.
  /// - Throws: ``ExportError``.
  public static func contents(
    of path: String, isCancelled: (() -> Bool)? = nil
  ) throws(ExportError) -> (document: any ExportInput, files: ExportFiles) {
    if path == "-" { return (FileInput(.standardInput, isCancelled: isCancelled), .none) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    if !isFolder.boolValue, try isArchive(path) { return try ZipArchive(path: path).open() }
    guard isFolder.boolValue else {
      return (
        try FileInput(path: path, isCancelled: isCancelled), ExportFiles(nextToDocument: path)
      )
    }
    let (document, refused) = try find(inFolder: path)
    let root = path.hasSuffix("/") ? path : path + "/"
    let names = refused.map { (String($0.key.dropFirst(root.count)), $0.value.description) }
    return (
      try FolderFile.open(document, in: path),
      ExportFiles(
        nextToDocument: document,
        refused: Dictionary(names, uniquingKeysWith: { first, _ in first }))
    )
  }

  /// Returns whether a document is an export; reads only its start.
  ///
  /// - Parameter input: A document at its start.
  /// - Returns: Whether its root element is `HealthData`.
  /// - Throws: ``ExportError`` if reading fails.
  static func isExport(_ input: any ExportInput) throws(ExportError) -> Bool {
    var scanner = ExportScanner(input, capacity: 16 << 10)
    do {
      return try scanner.next() == .start(.healthData)
    } catch .notAnExport {
      return false
    } catch .limitExceeded {
      return false
    }
  }

  /// Returns whether an entry may be the export, unlike the `__MACOSX/._export.xml` that macOS adds
  /// to archives.
  static func isCandidate(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    guard let file = parts.last, file.lowercased().hasSuffix(".xml") else { return false }
    return !parts.contains("__MACOSX") && !file.hasPrefix("._")
  }

  /// Returns the only export found, or throws if there is none or more than one.
  static func only(_ found: [String], in path: String) throws(ExportError) -> String {
    guard let first = found.first else { throw .noExportInside(path: path) }
    if found.count > 1 { throw .severalExports(path: path, names: found) }
    return first
  }

  /// Returns the document in a folder, and the entries that must not be opened, by path.
  ///
  /// A refused entry is an error only if no document is found.
  private static func find(
    inFolder path: String
  ) throws(ExportError) -> (document: String, refused: [String: ExportError]) {
    var found: [String] = []
    var (files, refused) = try xmlFiles(in: path, depth: 1)
    for file in files {
      do throws(ExportError) {
        if try isExport(FolderFile.open(file, in: path)) { found.append(file) }
      } catch {
        refused[file] = error
      }
    }
    if found.isEmpty, let first = refused.min(by: { $0.key < $1.key }) { throw first.value }
    return (try only(found, in: path), refused)
  }

  /// Returns the files that may be exports in a folder and in `depth` levels of subfolders, and the
  /// entries that must not be opened.
  static func xmlFiles(
    in folder: String, depth: Int, root: String? = nil
  ) throws(ExportError) -> (files: [String], refused: [String: ExportError]) {
    let root = root ?? folder
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .cannotOpen(path: folder, reason: FileInput.reason(error))
    }
    var files: [String] = []
    var refused: [String: ExportError] = [:]
    for name in names.sorted() where !name.hasPrefix(".") && name != "__MACOSX" {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue ? depth > 0 : isCandidate(name)
      else { continue }
      do throws(ExportError) {
        switch try FolderFile.resolve(path, in: root).kind {
        case .folder:
          let inside = try xmlFiles(in: path, depth: depth - 1, root: root)
          files += inside.files
          refused.merge(inside.refused) { first, _ in first }
        case .file: files.append(path)
        }
      } catch {
        refused[path] = error
      }
    }
    return (files, refused)
  }

  private static func isArchive(_ path: String) throws(ExportError) -> Bool {
    // Reading ahead would consume bytes of a pipe, and a pipe cannot be an archive.
    guard FileInput.size(path) != nil else { return false }
    let file = try FileInput(path: path)
    return try withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) {
      buffer throws(ExportError) in
      guard try file.read(into: buffer) == 4 else { return false }
      // The second signature starts an archive without entries.
      return buffer.elementsEqual([0x50, 0x4B, 3, 4]) || buffer.elementsEqual([0x50, 0x4B, 5, 6])
    }
  }
}
