import Foundation

/// The files of this repository on disk.
struct Repository {
  /// The permitted entries of the root directory; everything else belongs in a folder.
  static let allowedEntries: Set<String> = [
    ".build", ".ci", ".git", ".gitignore", ".swift-format", ".swiftpm", "Benchmarks",
    "CHANGELOG.md", "CONTRIBUTING.md", "Docs", "LICENSE", "Makefile", "Package.resolved",
    "Package.swift", "README.md", "SECURITY.md", "Sources", "Tests",
  ]

  let root: URL

  init(testFile: String = #filePath) {
    root = URL(filePath: testFile).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// Returns the names in the root directory, sorted.
  func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }

  private static let files = Result { try Repository().readFiles() }

  /// Returns every text file that is not generated, sorted by path.
  func files() throws -> [SourceFile] { try Self.files.get() }

  private func readFiles() throws -> [SourceFile] {
    try entries().filter { Self.allowedEntries.contains($0) }.flatMap { try files(at: $0) }
  }

  private func files(at path: String) throws -> [SourceFile] {
    let generated = [".build", ".git", ".swiftpm", "Package.resolved"]
    let url = root.appending(path: path)
    if let name = path.split(separator: "/").last, generated.contains(String(name)) { return [] }
    var isDirectory: ObjCBool = false
    let manager = FileManager.default
    guard manager.fileExists(atPath: url.path, isDirectory: &isDirectory) else { return [] }
    if isDirectory.boolValue {
      let names = try manager.contentsOfDirectory(atPath: url.path).sorted()
      return try names.flatMap { try files(at: path + "/" + $0) }
    }
    // Binary files, such as a recorded database, have no style.
    return String(data: try Data(contentsOf: url), encoding: .utf8).map { [SourceFile(path, $0)] }
      ?? []
  }
}
