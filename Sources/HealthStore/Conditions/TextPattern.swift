import Foundation

/// The options of a text comparison, written as letters in brackets after the operator.
struct TextOptions: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let caseInsensitive = TextOptions(rawValue: 1)
  static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The options in brackets, or an empty string if there are none.
  var suffix: String {
    guard !isEmpty else { return "" }
    return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension String {
  /// Returns the text with case or diacritics removed according to the options.
  func folded(_ options: TextOptions) -> String {
    guard !options.isEmpty else { return self }
    var compare: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    return folding(options: compare, locale: nil)
  }
}

/// The right side of LIKE: `*` matches any text, `?` matches one character, and `\` escapes the
/// next character.
struct Wildcards {
  private let pattern: [Character]

  init(_ text: String) { pattern = Array(text) }

  func matches(_ text: String) -> Bool { Self.matches(Array(text), pattern) }

  /// Takes time proportional to the product of the lengths in the worst case.
  private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    var (at, next) = (0, 0)
    // The position to backtrack to: after the latest star.
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if next < pattern.count, pattern[next] == "*" {
        star = (next + 1, at)
        next += 1
        continue
      }
      if next < pattern.count {
        let isEscape = pattern[next] == "\\" && next + 1 < pattern.count
        let wanted = isEscape ? pattern[next + 1] : pattern[next]
        if wanted == text[at] || (wanted == "?" && !isEscape) {
          next += isEscape ? 2 : 1
          at += 1
          continue
        }
      }
      guard let latest = star else { return false }
      star = (latest.pattern, latest.text + 1)
      (next, at) = (latest.pattern, latest.text + 1)
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
