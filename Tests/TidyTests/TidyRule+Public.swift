extension TidyRule {
  /// No public declaration has an unsafe pointer in its signature, and the compiler checks every
  /// `Sendable` conformance, so a client can neither read freed memory nor race.
  ///
  /// Exceptions are declarations that Apple's frameworks prescribe: open classes, and the flag by
  /// which a block stops an enumeration.
  static let publicSafety = TidyRule(name: "public safety") { file in
    guard file.isSwift, file.path.hasPrefix("Sources/") else { return [] }
    return publicSignatures(file.code).compactMap { line, signature in
      let signature = signature.replacing("UnsafeMutablePointer<ObjCBool>", with: "")
      if signature.contains("Unsafe") || signature.contains("OpaquePointer") {
        return Finding(file, line: line + 1, "a public declaration with an unsafe pointer")
      }
      guard signature.contains("@unchecked Sendable") else { return nil }
      if signature.hasPrefix("open class") { return nil }
      return Finding(file, line: line + 1, "a public type that is unchecked Sendable")
    }
  }

  /// Returns the declarations that clients see, each from its first word to its body, with the
  /// index of its line: those marked `public` or `open`, and members of public protocols and
  /// enumerations.
  private static func publicSignatures(
    _ lines: [Substring]
  ) -> [(line: Int, signature: String)] {
    var found: [(Int, String)] = []
    // The public protocol or enumeration that encloses the line.
    var enclosing: (indentation: Int, isProtocol: Bool)?
    for (index, line) in lines.enumerated() {
      let indentation = line.prefix { $0 == " " }.count
      if indentation == line.count { continue }
      if let outer = enclosing, indentation <= outer.indentation { enclosing = nil }
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
      let isPublic = words.contains { $0 == "public" || $0 == "open" }
      let isRequirement =
        enclosing.map {
          indentation == $0.indentation + 2 && ($0.isProtocol || words.first == "case")
        } ?? false
      guard isPublic || isRequirement, words.first != "import", words.dropFirst().first != "import"
      else { continue }
      found.append((index, signature(lines[index...])))
      let isProtocol = words.contains("protocol")
      if isPublic, isProtocol || words.contains("enum") { enclosing = (indentation, isProtocol) }
    }
    return found
  }

  /// Returns the declaration without its body or value.
  private static func signature(_ lines: ArraySlice<Substring>) -> String {
    var text = ""
    var depth = 0
    for (index, line) in zip(lines.indices, lines) {
      for character in line {
        // A brace outside parentheses begins the body.
        if text.isEmpty, character == " " { continue }
        if depth == 0, character == "{" { return text }
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        text.append(character)
      }
      let next = index + 1 < lines.endIndex ? lines[index + 1].drop { $0 == " " } : ""
      let isContinued =
        depth > 0 || line.last.map { ",:=".contains($0) } ?? false
        || ["->", "where", "throws", "async", "{", "@unchecked", ":"].contains {
          next.hasPrefix($0)
        }
      if !isContinued { break }
      text.append(" ")
    }
    return text
  }
}
