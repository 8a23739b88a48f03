import Foundation

/// The files that accompany an export's document: routes, electrocardiograms and clinical records.
///
/// A name is a path relative to the export's folder, such as
/// `workout-routes/route_2019-10-04_12.59pm.gpx`. Only listed files can be opened, regardless of
/// the paths in the document.
public struct ExportFiles: Sendable {
  private enum Location: Sendable {
    case folder(String)
    // The folder is a path in the archive that is empty or ends with a slash.
    case archive(ZipArchive, folder: String)
  }

  /// The names, sorted; a file with several names is listed under the one that is not a link.
  public let names: [String]
  /// The reasons for which entries of the folder must not be opened, by name.
  let refused: [String: String]
  /// The further names of files, each with the file's name in ``names``.
  private let aliases: [String: String]
  private let location: Location?

  /// An empty set of files.
  public static let none = ExportFiles(names: [], location: nil)

  private init(
    names: [String], location: Location?, refused: [String: String] = [:],
    aliases: [String: String] = [:]
  ) {
    self.names = names.sorted()
    self.location = location
    self.refused = refused
    self.aliases = aliases
  }

  /// Lists the files in the folders next to a document; there are none if the document is alone.
  ///
  /// A folder that cannot be listed, or that is a link out of the document's folder, is
  /// ``refused``.
  init(nextToDocument path: String, refused: [String: String] = [:]) {
    let folder = (path as NSString).deletingLastPathComponent
    let root = folder.isEmpty ? "." : folder
    var names: [String] = []
    var refused = refused
    for directory in Self.folders {
      let path = "\(root)/\(directory)"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        _ = try FolderFile.resolve(path, in: root)
        let found = try FileManager.default.contentsOfDirectory(atPath: path)
        names += found.filter { !$0.hasPrefix(".") }.map { "\(directory)/\($0)" }
      } catch let error as ExportError {
        refused[directory] = error.description
      } catch {
        refused[directory] =
          ExportError.cannotOpen(path: path, reason: FileInput.reason(error)).description
      }
    }
    let aliases = Self.aliases(names, in: root)
    self.init(
      names: names.filter { aliases[$0] == nil }, location: .folder(root), refused: refused,
      aliases: aliases)
  }

  /// Returns the names that are links to another listed file, each with that file's name.
  private static func aliases(_ names: [String], in root: String) -> [String: String] {
    var first: [String: String] = [:]
    var aliases: [String: String] = [:]
    let real = names.map { name in
      (name: name, path: try? FolderFile.resolve("\(root)/\(name)", in: root).path)
    }
    // The file itself precedes links to it.
    let ordered =
      real.filter { $0.path?.hasSuffix("/" + $0.name) == true }
      + real.filter { $0.path?.hasSuffix("/" + $0.name) == false }
    for (name, path) in ordered {
      guard let path else { continue }
      if let other = first[path] { aliases[name] = other } else { first[path] = name }
    }
    return aliases
  }

  /// Returns the name in ``names`` of the file with the given name.
  func canonical(_ name: String) -> String { aliases[name] ?? name }

  /// Lists the files that accompany a document in an archive.
  init(in archive: ZipArchive, entries: [String], nextToDocument name: String) {
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    let names = entries.filter { entry in
      entry.hasPrefix(folder) && !entry.hasSuffix("/")
        && Self.folders.contains { entry.dropFirst(folder.count).hasPrefix("\($0)/") }
    }
    self.init(
      names: names.map { String($0.dropFirst(folder.count)) },
      location: .archive(archive, folder: folder))
  }

  /// The maximum size of a file that an import reads, in bytes.
  public static let byteLimit = 64 << 20

  /// The folders of an export whose files contain samples.
  static let folders = ["clinical-records", "electrocardiograms", "workout-routes"]

  /// Opens a file.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: An input of the file's bytes.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)`` if the name is not listed or the file
  ///   cannot be opened.
  func open(_ name: String) throws(ExportError) -> any ExportInput {
    guard let location, names.contains(name) else {
      throw .cannotOpen(path: name, reason: "the export has no such file")
    }
    switch location {
    case .folder(let folder): return try FolderFile.open("\(folder)/\(name)", in: folder)
    case .archive(let archive, let folder):
      return try archive.stream(folder + name, size: nil)
    }
  }

  /// Reads an entire file.
  ///
  /// - Returns: The bytes, or nil if the file has more than `limit`.
  /// - Throws: ``ExportError`` if the file cannot be read.
  func bytes(of name: String, limit: Int = byteLimit) throws(ExportError) -> [UInt8]? {
    let input = try open(name)
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
    defer { piece.deallocate() }
    while true {
      let count = try input.read(into: piece)
      if count == 0 { return bytes }
      if bytes.count + count > limit { return nil }
      bytes += piece.prefix(count)
    }
  }
}
