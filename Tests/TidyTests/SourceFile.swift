/// A file of the repository: where it is and what it says.
struct SourceFile {
  /// The path from the root of the repository, with slashes.
  let path: String
  let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  /// The lines without their ends; a final newline starts no line.
  var lines: [Substring] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last == "" ? lines.dropLast() : lines
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
