import Foundation

/// Parses a predicate format string.
///
/// In ascending order of precedence: `or`, `and`, `not`.
///
///     or         = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = ("NOT" | "!") not | "(" or ")" | comparison
///                | "TRUEPREDICATE" | "FALSEPREDICATE"
///     comparison = operand operator [ "[" options "]" ] operand
///     operand    = key path | %K | %@ | %d | %f | number | text | YES | NO | NULL | "{" list "}"
struct FormatParser {
  /// The maximum nesting depth of parentheses and negations, which bounds the stack.
  static let deepest = 64

  private let tokens: [(token: FormatToken, offset: Int)]
  private let arguments: [Any?]
  /// The interpretation of quoted text in comparisons with fields that hold no text, or nil to use
  /// it literally.
  let literals: PredicateLiterals?
  private var at = 0
  private var usedArguments = 0
  private var depth = 0

  /// Returns the simplified condition of a format string.
  ///
  /// Surplus arguments are ignored, as in Foundation.
  static func parse(
    _ format: String, _ arguments: [Any?], literals: PredicateLiterals? = nil
  ) throws(HKPredicateFormatError) -> SampleCondition {
    var lexer = FormatLexer(format)
    var parser = FormatParser(
      tokens: try lexer.tokens(), arguments: arguments, literals: literals)
    let condition = try parser.or()
    if parser.at < parser.tokens.count { throw parser.unexpected }
    return condition.simplified
  }

  private init(
    tokens: [(token: FormatToken, offset: Int)], arguments: [Any?], literals: PredicateLiterals?
  ) {
    self.tokens = tokens
    self.arguments = arguments
    self.literals = literals
  }

  private mutating func or() throws(HKPredicateFormatError) -> SampleCondition {
    var parts = [try and()]
    while takeSign("||") || takeWord("OR") { parts.append(try and()) }
    return parts.count > 1 ? .any(parts) : parts[0]
  }

  private mutating func and() throws(HKPredicateFormatError) -> SampleCondition {
    var parts = [try not()]
    while takeSign("&&") || takeWord("AND") { parts.append(try not()) }
    return parts.count > 1 ? .all(parts) : parts[0]
  }

  private mutating func not() throws(HKPredicateFormatError) -> SampleCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep(allowed: Self.deepest) }
    if takeSign("!") || takeWord("NOT") { return .not(try not()) }
    if takeWord("TRUEPREDICATE") { return .always }
    if takeWord("FALSEPREDICATE") { return .never }
    if takeSign("(") {
      let inner = try or()
      try expectSign(")")
      return inner
    }
    return try comparison()
  }

  // MARK: Tokens, for the comparisons as well

  var current: FormatToken? { at < tokens.count ? tokens[at].token : nil }

  /// An error for the current token.
  var unexpected: HKPredicateFormatError {
    guard at < tokens.count else { return .unexpectedEnd }
    return .unexpected(tokens[at].token.shown, offset: tokens[at].offset)
  }

  mutating func advance() { at += 1 }

  mutating func takeSign(_ sign: String) -> Bool {
    guard current == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expectSign(_ sign: String) throws(HKPredicateFormatError) {
    guard takeSign(sign) else { throw unexpected }
  }

  /// Consumes a reserved word, ignoring case; returns false if the current token is another.
  mutating func takeWord(_ word: String) -> Bool {
    guard case .word(let text)? = current, text.uppercased() == word else { return false }
    advance()
    return true
  }

  /// Returns the next argument, for the placeholder at the current token.
  mutating func argument() throws(HKPredicateFormatError) -> (value: Any?, index: Int) {
    guard usedArguments < arguments.count else {
      throw .missingArgument(index: usedArguments)
    }
    defer { usedArguments += 1 }
    return (arguments[usedArguments], usedArguments)
  }

  /// Runs `body` one nesting level deeper.
  mutating func nested<Result>(
    _ body: (inout FormatParser) throws(HKPredicateFormatError) -> Result
  ) throws(HKPredicateFormatError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep(allowed: Self.deepest) }
    return try body(&self)
  }
}
