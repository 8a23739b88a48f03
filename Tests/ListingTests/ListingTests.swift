import Foundation
import Testing

/// Every listing in the documentation is compiled.
@Suite struct ListingTests {
  /// A block of Swift in a page or in a comment.
  private struct Listing: CustomStringConvertible {
    let path: String
    let lines: [String]

    /// The text without white space, because a page may break lines differently from the formatter.
    var text: String { ListingTests.dense(lines.joined(separator: "\n")) }

    var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version") == true }

    var description: String { "\(path): \(lines.first ?? "")" }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func trimmed(_ line: some StringProtocol) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }

  private static func dense(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// The files below a folder whose names end with `end`, with their contents.
  private static func files(_ folder: String, _ end: String) throws -> [String: String] {
    var found: [String: String] = [:]
    let url = root.appending(path: folder)
    let names = try #require(FileManager.default.enumerator(atPath: url.path))
    for case let name as String in names where name.hasSuffix(end) && !name.contains(".build/") {
      found[folder + "/" + name] = try String(
        contentsOf: url.appending(path: name), encoding: .utf8)
    }
    return found
  }

  private static func listings(_ path: String, _ text: String) -> [Listing] {
    var found: [Listing] = []
    var open: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = line
      if path.hasSuffix(".swift") {
        // Only comment lines count; code between them does not end a listing.
        guard let comment = line.firstRange(of: "///"), trimmed(line[..<comment.lowerBound]).isEmpty
        else { continue }
        line = line[comment.upperBound...]
      }
      if let lines = open {
        if trimmed(line) == "```" {
          found.append(Listing(path: path, lines: lines))
          open = nil
        } else {
          open = lines + [String(line)]
        }
      } else if trimmed(line) == "```swift" {
        open = []
      }
    }
    return found
  }

  private static func listings() throws -> [Listing] {
    var texts = try files("Docs", ".md").merging(files("Sources", ".swift")) { $1 }
    texts = try texts.merging(files("Sources", ".md")) { $1 }
    texts["README.md"] = try String(
      contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    return texts.sorted { $0.key < $1.key }.flatMap { listings($0.key, $0.value) }
  }

  @Test func `each listing is in a program or a test that is built`() throws {
    let listings = try Self.listings()
    #expect(listings.contains { $0.path == "README.md" })
    #expect(listings.contains { $0.path.hasPrefix("Sources/HealthStore/") })
    let built = try Self.files("Tests", ".swift").values.map(Self.dense)
    for listing in listings where !listing.isManifest {
      #expect(!listing.text.isEmpty, "\(listing)")
      #expect(built.contains { $0.contains(listing.text) }, "\(listing)")
    }
  }

  @Test func `SwiftPM reads each manifest`() throws {
    let manifests = try Self.listings().filter(\.isManifest)
    #expect(!manifests.isEmpty)
    for manifest in manifests {
      let folder = try Folder()
      try Data(manifest.lines.joined(separator: "\n").utf8).write(
        to: folder.url.appending(path: "Package.swift"))
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swift", "package", "--package-path", folder.url.path, "dump-package"]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(manifest)")
    }
  }
}

/// A folder that is removed with the test.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "listings-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
