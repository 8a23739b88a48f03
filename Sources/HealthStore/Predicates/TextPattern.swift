import Foundation

/// What a text comparison disregards: the letters in brackets behind an operator.
struct TextOptions: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let caseInsensitive = TextOptions(rawValue: 1)
  static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The brackets as a format string has them, empty for no options.
  var suffix: String {
    guard !isEmpty else { return "" }
    return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension String {
  /// The text with what the options disregard taken away.
  func folded(_ options: TextOptions) -> String {
    guard !options.isEmpty else { return self }
    var compare: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    return folding(options: compare, locale: nil)
  }
}

/// The right side of LIKE: `*` stands for any text, `?` for one character, and `\` takes the next
/// one literally.
struct Wildcards {
  private let pattern: [Character]

  init(_ text: String) { pattern = Array(text) }

  func matches(_ text: String) -> Bool { Self.matches(Array(text), pattern) }

  /// Takes time in proportion to the product of the lengths at worst.
  private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    var (at, next) = (0, 0)
    // Where to go on after the latest star, should the rest not match.
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
