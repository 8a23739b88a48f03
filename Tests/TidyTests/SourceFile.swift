import Foundation

/// A file of the repository: its path and its text.
struct SourceFile {
  /// The path relative to the root of the repository, with slashes.
  let path: String
  let text: String
  /// The lines without their terminators; a final newline starts no line.
  let lines: [Substring]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    // Splits bytes, because finding grapheme boundaries takes the tests a minute.
    let newline = UInt8(ascii: "\n")
    let lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
      .map { Substring($0) }
    self.lines = lines.last == "" ? lines.dropLast() : lines
    let name = path.split(separator: "/").last ?? ""
    kind = name.split(separator: ".").last ?? name
    isSwift = kind == "swift"
    code = isSwift ? SwiftCode.lines(of: text) : []
  }

  /// Whether the text contains the word, by itself or as part of a longer one.
  func contains(_ word: String) -> Bool {
    // Swift's searches take much longer without optimisation.
    strstr(text, word) != nil
  }

  /// The file extension, or the whole name if it has no dot.
  let kind: Substring
  let isSwift: Bool

  /// The code of a Swift file without comments and the contents of literals, line by line.
  let code: [Substring]

  /// Whether the language indents with spaces and begins comments with two slashes.
  var isCode: Bool {
    ["swift", "c", "h", "modulemap"].contains(kind)
  }

  /// Whether the rules on spaces, words and line length apply: everything but prose and data.
  var isKeptTidy: Bool {
    isCode || kind == "Makefile" || path.hasPrefix(".ci/") && kind != "tsv"
  }

  /// The folders and the file name.
  var components: [Substring] {
    path.split(separator: "/")
  }
}
