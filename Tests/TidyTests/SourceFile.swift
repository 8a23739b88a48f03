/// A file of the repository: where it is and what it says.
struct SourceFile {
  /// The path from the root of the repository, with slashes.
  let path: String
  let text: String
  /// The lines without their ends; a final newline starts no line.
  let lines: [Substring]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    // Bytes, because finding the bounds of characters takes the tests a minute.
    let newline = UInt8(ascii: "\n")
    let lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
      .map { Substring($0) }
    self.lines = lines.last == "" ? lines.dropLast() : lines
  }

  /// Whether the text holds the word, by itself or as a part of a longer one.
  func contains(_ word: String) -> Bool {
    let word = Array(word.utf8)
    return lines.contains { line in
      var rest = line.utf8
      while let start = rest.firstIndex(of: word[0]) {
        rest = rest[start...]
        if rest.starts(with: word) { return true }
        rest = rest.dropFirst()
      }
      return false
    }
  }

  /// What comes after the last dot of the name, or the whole name.
  var kind: Substring {
    let name = path.split(separator: "/").last ?? ""
    return name.split(separator: ".").last ?? name
  }

  var isSwift: Bool {
    kind == "swift"
  }

  /// Whether it is code in a language with spaces for indentation and two slashes for comments.
  var isCode: Bool {
    ["swift", "c", "h", "modulemap"].contains(kind)
  }

  /// Whether the rules on spaces, words and line length hold: everything but prose and data.
  var isKeptTidy: Bool {
    isCode || kind == "Makefile" || path.hasPrefix(".ci/") && kind != "tsv"
  }

  /// The folders and the name.
  var components: [Substring] {
    path.split(separator: "/")
  }
}
