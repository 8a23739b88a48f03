extension TidyRule {
  /// A public function or initialiser that takes a handler is `@preconcurrency`, like imported
  /// Objective-C declarations.
  ///
  /// Capturing a value that is not `Sendable` is then a warning, not an error.
  static let handlers = TidyRule(name: "handlers") { file in
    guard file.isSwift, file.path.hasPrefix("Sources/Health"), file.contains("@escaping") else {
      return []
    }
    let lines = file.code
    return lines.indices.compactMap { index in
      guard isPublicFunction(lines[index]), takesHandler(lines[index...]) else { return nil }
      let attributes = lines[..<index].reversed().prefix { isAttribute($0) }
      if attributes.contains(where: { $0.contains("@preconcurrency") }) { return nil }
      return Finding(file, line: index + 1, "a handler without @preconcurrency")
    }
  }

  private static func isPublicFunction(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard let access = words.first, access == "public" || access == "open" else { return false }
    let modifiers = ["public", "open", "class", "static", "convenience", "required"]
    guard let name = words.first(where: { !modifiers.contains(String($0)) }) else { return false }
    return name == "func" || name.hasPrefix("init(") || name.hasPrefix("init?(")
  }

  /// Whether the declaration at the start of the lines has an escaping `@Sendable` function among
  /// its parameters.
  private static func takesHandler(_ lines: ArraySlice<Substring>) -> Bool {
    var depth = 0
    var hasHandler = false
    for line in lines {
      if line.contains("@escaping @Sendable") || line.contains("@escaping Handler") {
        hasHandler = true
      }
      for byte in line.utf8 {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
      }
      if depth <= 0 { break }
    }
    return hasHandler
  }

  private static func isAttribute(_ line: Substring) -> Bool {
    line.drop { $0 == " " }.hasPrefix("@")
  }
}
