import Foundation

/// A zip archive, read through Info-ZIP's `unzip` so that the package links no inflater.
///
/// `unzip` interprets archive and entry names as patterns, so names are always escaped: a `*`, `?`,
/// `[` or `\` would match other files, and a leading `-` would be an option.
struct ZipArchive {
  let path: String
  private let program: URL

  init(path: String) throws(ExportError) {
    self.path = path
    program = try Self.findProgram(ProcessInfo.processInfo.environment["PATH"] ?? "")
  }

  /// Opens the export in this archive and lists the files that accompany it.
  func open() throws(ExportError) -> (document: any ExportInput, files: ExportFiles) {
    var found: [String] = []
    let entries = try entries()
    for name in entries where ExportSource.isCandidate(name) {
      if name.contains("\u{FFFD}"), try self.entries(Self.pattern(name)).count != 1 { continue }
      // The process is ended after its first bytes, so its exit status is not checked.
      if try ExportSource.isExport(stream(name, size: nil)) { found.append(name) }
    }
    let name = try ExportSource.only(found, in: path)
    return (
      try stream(name, size: size(of: name)),
      ExportFiles(in: self, entries: entries, nextToDocument: name)
    )
  }

  static func findProgram(_ searchPath: String) throws(ExportError) -> URL {
    for folder in searchPath.split(separator: ":") + ["/usr/bin", "/bin", "/usr/local/bin"] {
      let candidate = "\(folder)/unzip"
      if FileManager.default.isExecutableFile(atPath: candidate) {
        return URL(fileURLWithPath: candidate)
      }
    }
    throw .unzipMissing
  }

  /// Returns a pattern that matches only `name`.
  ///
  /// The exception is a name that `unzip` does not print in UTF-8: its invalid parts match any
  /// text, and the caller must check that the pattern matches a single entry.
  static func pattern(_ name: String) -> String {
    var pattern = ""
    for character in name.unicodeScalars {
      switch character {
      case "\u{FFFD}": pattern += "*"
      case "*", "?", "[": pattern += "[\(character)]"
      case "\\": pattern += "[\\\\]"
      case "-" where pattern.isEmpty: pattern += "[-]"
      default: pattern.unicodeScalars.append(character)
      }
    }
    return pattern
  }

  /// The path of the archive, escaped after its last slash, where `unzip` interprets it as a
  /// pattern.
  private var archivePattern: String {
    guard let slash = path.lastIndex(of: "/") else { return "./" + Self.pattern(path) }
    let folder = path[...slash]
    let name = Self.pattern(String(path[path.index(after: slash)...]))
    return (folder.hasPrefix("/") ? "" : "./") + folder + name
  }

  private func entries(_ patterns: String...) throws(ExportError) -> [String] {
    let text = try output(["-Z1", archivePattern] + patterns)
    return text.split(separator: "\n").map(String.init)
  }

  private func size(of name: String) throws(ExportError) -> Int64? {
    let text = try output(["-l", "-qq", archivePattern, Self.pattern(name)])
    return text.split(separator: " ").first.flatMap { Int64($0) }
  }

  func stream(_ name: String, size: Int64?) throws(ExportError) -> UnzipInput {
    // With an empty password, unzip does not prompt for one if the archive is encrypted.
    try UnzipInput(
      program: program, arguments: ["-p", "-P", "", archivePattern, Self.pattern(name)],
      archive: path, byteCount: size)
  }

  /// Returns the output of `unzip`; throws if it exceeds 16 MiB.
  private func output(_ arguments: [String]) throws(ExportError) -> String {
    let input = try UnzipInput(program: program, arguments: arguments, archive: path)
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      let count = try input.read(into: chunk)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk.prefix(count)
      if bytes.count > 16 << 20 {
        throw .cannotRead(reason: "the archive has too many entries")
      }
    }
  }
}
