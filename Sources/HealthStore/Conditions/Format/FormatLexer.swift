import Foundation

/// Splits a format string into tokens in linear time.
struct FormatLexer {
  private let characters: [Character]
  private var at = 0

  init(_ format: String) {
    characters = Array(format)
  }

  /// Returns the tokens with the offsets of their first characters.
  mutating func tokens() throws(HKPredicateFormatError) -> [(token: FormatToken, offset: Int)] {
    var tokens: [(token: FormatToken, offset: Int)] = []
    while true {
      while at < characters.count, characters[at].isWhitespace { at += 1 }
      guard at < characters.count else { return tokens }
      let offset = at
      tokens.append((try next(), offset))
    }
  }

  private func peek(_ ahead: Int = 0) -> Character? {
    at + ahead < characters.count ? characters[at + ahead] : nil
  }

  private mutating func next() throws(HKPredicateFormatError) -> FormatToken {
    let first = characters[at]
    switch first {
    case "%": return try placeholder()
    case "\"", "'": return try text(until: first)
    case _ where first.isDigit: return try number()
    case "-", "+":
      guard let digit = peek(1), digit.isDigit || digit == "." else { break }
      return try number()
    case ".":
      guard let digit = peek(1), digit.isDigit else { break }
      return try number()
    case _ where first.startsWord: return word()
    // A `#` prefix marks a name that is not a reserved word.
    case "#":
      guard let letter = peek(1), letter.startsWord else { break }
      at += 1
      return word()
    default: break
    }
    return try sign()
  }

  private static let longSigns: Set<String> = [
    "==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||",
  ]
  private static let shortSigns: Set<Character> = [
    "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".",
  ]

  private mutating func sign() throws(HKPredicateFormatError) -> FormatToken {
    let first = characters[at]
    if let second = peek(1), Self.longSigns.contains("\(first)\(second)") {
      at += 2
      return .sign("\(first)\(second)")
    }
    guard Self.shortSigns.contains(first) else {
      throw .unexpected("\(first)", offset: at)
    }
    at += 1
    return .sign("\(first)")
  }

  private mutating func word() -> FormatToken {
    let start = at
    while let character = peek(), character.continuesWord { at += 1 }
    return .word(String(characters[start..<at]))
  }

  private mutating func placeholder() throws(HKPredicateFormatError) -> FormatToken {
    let start = at
    at += 1
    // Length modifiers are ignored, because arguments carry their own types.
    while let modifier = peek(), "hlqzjt".contains(modifier) { at += 1 }
    let plain = at == start + 1
    guard let letter = peek() else { throw .unexpectedEnd }
    at += 1
    switch letter {
    case "@" where plain: return .object
    case "K" where plain: return .keyPath
    case "d", "D", "i", "u", "U": return .wholeNumber
    case "f", "F", "g", "G", "e", "E", "a", "A": return .number
    default: throw .unexpected(String(characters[start..<at]), offset: start)
    }
  }

  private mutating func text(until quote: Character) throws(HKPredicateFormatError) -> FormatToken {
    let start = at
    at += 1
    var text = ""
    while let character = peek() {
      at += 1
      if character == quote { return .text(text) }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = peek() else { break }
      at += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\\", "\"", "'": text.append(escaped)
      // The backslash is kept, because LIKE and MATCHES interpret it.
      default: text += "\\\(escaped)"
      }
    }
    throw .unterminatedText(offset: start)
  }

  private mutating func number() throws(HKPredicateFormatError) -> FormatToken {
    let start = at
    if peek() == "-" || peek() == "+" { at += 1 }
    skipDigits()
    if peek() == ".", peek(1)?.isDigit == true {
      at += 1
      skipDigits()
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "-" || peek(1) == "+"
      if peek(signed ? 2 : 1)?.isDigit == true {
        at += signed ? 2 : 1
        skipDigits()
      }
    }
    let text = String(characters[start..<at])
    if let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw .unexpected(text, offset: start)
    }
    return .double(value)
  }

  private mutating func skipDigits() {
    while let digit = peek(), digit.isDigit { at += 1 }
  }
}

extension Character {
  fileprivate var isDigit: Bool { "0" <= self && self <= "9" && isASCII }
  fileprivate var startsWord: Bool { isLetter || self == "_" || self == "$" || self == "@" }
  fileprivate var continuesWord: Bool { startsWord || isNumber || self == "-" }
}
