extension TidyRule {
  /// Lines have at most 100 columns, except for an address that cannot be broken.
  static let lineLength = TidyRule(name: "line length") { file in
    guard file.isKeptTidy else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      // A line has at most as many columns as bytes.
      guard line.utf8.count > 100, line.count > 100, !isAddress(line) else { return nil }
      return Finding(file, line: index + 1, "\(line.count) columns, 100 are allowed")
    }
  }

  /// A file above its limit contains more than one thing.
  static let fileLength = TidyRule(name: "file length") { file in
    guard file.isCode else { return [] }
    let limit = file.path.hasPrefix("Tests/") ? 600 : 400
    let count = file.lines.count
    return count > limit ? [Finding(file, "\(count) lines, \(limit) are allowed")] : []
  }

  /// Rejects tabs, and spaces at the end of a line.
  ///
  /// Recipes of a Makefile need their tabs.
  static let spaces = TidyRule(name: "spaces") { file in
    guard file.isKeptTidy else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      var findings: [Finding] = []
      if file.isCode, line.utf8.contains(UInt8(ascii: "\t")) {
        findings.append(Finding(file, line: index + 1, "a tab"))
      }
      if line.last?.isWhitespace == true {
        findings.append(Finding(file, line: index + 1, "space at the end of the line"))
      }
      return findings
    }
  }

  /// A file ends with exactly one newline.
  static let finalNewline = TidyRule(name: "final newline") { file in
    guard file.isKeptTidy else { return [] }
    if !file.text.hasSuffix("\n") { return [Finding(file, "no newline at the end")] }
    if file.text.hasSuffix("\n\n") { return [Finding(file, "empty lines at the end")] }
    return []
  }

  /// Returns the median length of files, in lines, or 0 if there are none.
  static func medianLength(_ files: [SourceFile]) -> Int {
    let lengths = files.map(\.lines.count).sorted()
    return lengths.isEmpty ? 0 : lengths[lengths.count / 2]
  }

  /// Returns the entries of the root directory that are not permitted.
  static func strayEntries(_ entries: [String]) -> [String] {
    entries.filter { !Repository.allowedEntries.contains($0) }
  }

  private static func isAddress(_ line: Substring) -> Bool {
    let words = line.split(separator: " ").drop { $0.allSatisfy { $0 == "/" || $0 == "#" } }
    return words.count == 1 && words.first?.contains("://") == true
  }
}
