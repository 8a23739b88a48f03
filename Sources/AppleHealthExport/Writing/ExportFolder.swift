import SampleLog

/// The folder of an export being written.
///
/// The document is renamed to its final name when every file is durable, so that no reader takes an
/// interrupted export for a complete one.
final class ExportFolder {
  private let path: String
  private let fileSystem: any FileSystem
  private var directories: [String] = []
  private var files: [String] = []
  /// The number of bytes written.
  private(set) var byteCount = 0

  /// The number of files created.
  var fileCount: Int { files.count }

  /// The name of the document until it is complete.
  static let unfinishedName = "export.xml.unfinished"
  static let documentName = "export.xml"

  /// Creates the folder, or accepts an empty existing one.
  init(_ path: String, _ fileSystem: any FileSystem) throws(ExportError) {
    self.path = path
    self.fileSystem = fileSystem
    let isEmpty = try Self.translating(path) {
      let names = try fileSystem.list(path)
      if names == nil { try fileSystem.createDirectory(path) }
      return names?.isEmpty ?? true
    }
    guard isEmpty else { throw .notEmpty(path: path) }
  }

  /// Creates a file in the folder or in a subfolder.
  func create(_ name: String) throws(ExportError) -> ExportFileOutput {
    if let slash = name.lastIndex(of: "/") {
      let directory = String(name[..<slash])
      if !directories.contains(directory) {
        try Self.translating(path) { try fileSystem.createDirectory("\(path)/\(directory)") }
        directories.append(directory)
      }
    }
    let file = "\(path)/\(name)"
    let output = try Self.translating(file) {
      ExportFileOutput(file, try fileSystem.open(file, .create)) { [self] in byteCount += $0 }
    }
    files.append(name)
    return output
  }

  /// Writes an entire file.
  func write(_ name: String, _ bytes: [UInt8]) throws(ExportError) {
    let output = try create(name)
    try output.write(bytes)
    try output.finish()
  }

  /// Makes the directories durable and renames the document to its final name.
  func finish() throws(ExportError) {
    try Self.translating(path) {
      for directory in directories { try fileSystem.syncDirectory("\(path)/\(directory)") }
      try fileSystem.syncDirectory(path)
      try fileSystem.rename(
        "\(path)/\(Self.unfinishedName)", to: "\(path)/\(Self.documentName)")
      try fileSystem.syncDirectory(path)
    }
  }

  /// Removes the files that were created, and ignores errors.
  func discard() {
    for name in files { try? fileSystem.remove("\(path)/\(name)") }
  }

  /// Runs `body` and turns its error into ``ExportError/cannotWrite(path:reason:)``.
  static func translating<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(ExportError) -> Value {
    do {
      return try body()
    } catch StoreError.inputOutput(let operation, let path, _, let message) {
      throw .cannotWrite(path: path, reason: "\(operation): \(message)")
    } catch {
      throw .cannotWrite(path: path, reason: "\(error)")
    }
  }
}

/// A file that is written sequentially.
final class ExportFileOutput {
  private let path: String
  private let file: any File
  private let count: (Int) -> Void
  private var offset = 0
  private var waiting: [UInt8] = []

  private static let pieceSize = 1 << 20

  init(_ path: String, _ file: any File, count: @escaping (Int) -> Void) {
    self.path = path
    self.file = file
    self.count = count
  }

  func write(_ bytes: [UInt8]) throws(ExportError) {
    waiting.append(contentsOf: bytes)
    if waiting.count >= Self.pieceSize { try flush() }
  }

  /// Writes the buffered bytes and makes the file durable.
  func finish() throws(ExportError) {
    try flush()
    try ExportFolder.translating(path) { try file.sync() }
  }

  private func flush() throws(ExportError) {
    if waiting.isEmpty { return }
    try ExportFolder.translating(path) {
      try waiting.withUnsafeBytes { try file.write($0, at: offset) }
    }
    offset += waiting.count
    count(waiting.count)
    waiting.removeAll(keepingCapacity: true)
  }
}
