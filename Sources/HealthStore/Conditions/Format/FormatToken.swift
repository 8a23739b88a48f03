/// A word, sign, number, text or placeholder of a format string.
enum FormatToken: Hashable {
  case word(String)
  case text(String)
  case integer(Int64)
  case double(Double)
  /// `%@`
  case object
  /// `%K`
  case keyPath
  /// `%d` and similar.
  case wholeNumber
  /// `%f` and similar.
  case number
  /// An operator or a bracket.
  case sign(String)

  /// The token as shown in error messages.
  var shown: String {
    switch self {
    case .word(let text), .sign(let text): text
    case .text(let text): "\"\(text)\""
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .object: "%@"
    case .keyPath: "%K"
    case .wholeNumber: "%d"
    case .number: "%f"
    }
  }
}
