import Foundation

/// A zip archive, read through Info-ZIP's `unzip` so that the package links no inflater.
///
/// `unzip` takes archive and entry names as patterns. A name is therefore never handed over as it
/// stands: a `*`, `?`, `[` or `\` in it would match other files, and a leading `-` be an option.
struct ZipArchive {
  let path: String
  private let program: URL

  init(path: String) throws(ExportError) {
    self.path = path
    program = try Self.findProgram(ProcessInfo.processInfo.environment["PATH"] ?? "")
  }

  /// The export in this archive, and the files beside it.
  func open() throws(ExportError) -> (document: any ExportInput, files: ExportFiles) {
    var found: [String] = []
    let entries = try entries()
    for name in entries where ExportSource.isCandidate(name) {
      if name.contains("\u{FFFD}"), try self.entries(Self.pattern(name)).count != 1 { continue }
      // Given up after its first bytes, so the exit status says nothing.
      if try ExportSource.isExport(stream(name, size: nil)) { found.append(name) }
    }
    let name = try ExportSource.only(found, in: path)
    return (
      try stream(name, size: size(of: name)),
      ExportFiles(in: self, entries: entries, besideDocument: name)
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

  /// `name` as a pattern that matches nothing else.
  ///
  /// The exception is a name that `unzip` does not print in UTF-8: what could not be read of it
  /// matches anything, and the caller has to see that this fits one entry only.
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

  /// The archive's own name is a pattern, too, but only behind its last slash.
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
    // The empty password keeps an encrypted archive from asking the terminal for one.
    try UnzipInput(
      program: program, arguments: ["-p", "-P", "", archivePattern, Self.pattern(name)],
      archive: path, byteCount: size)
  }

  /// What `unzip` prints, at most 16 MiB of it.
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
