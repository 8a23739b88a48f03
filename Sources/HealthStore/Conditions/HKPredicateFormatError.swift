public import Foundation

/// An error in a predicate format string, or in an operator and its constant.
///
/// This is an addition: HealthKit and Foundation raise an exception instead.
public enum HKPredicateFormatError: Error, Hashable, Sendable {
  /// The format string is incomplete.
  case unexpectedEnd
  /// A token is not valid at its position; the offset is in characters.
  case unexpected(String, offset: Int)
  /// A quoted text is not terminated; the offset is in characters.
  case unterminatedText(offset: Int)
  /// There are fewer arguments than placeholders.
  case missingArgument(index: Int)
  /// The argument's class is not valid for its placeholder.
  case unsuitableArgument(index: Int, placeholder: String)
  /// The key path is unknown for samples and sources.
  case unknownKeyPath(String)
  /// The operator does not apply to the key path.
  case unsuitableOperator(keyPath: String, operator: String)
  /// The constant cannot be compared with the key path, or is nil with a text operator.
  case unsuitableConstant(keyPath: String?, constant: String)
  /// Both sides of a comparison are key paths; one must be a constant.
  case twoKeyPaths(String, String)
  /// The text is not a regular expression.
  case invalidPattern(String)
  /// Matching the regular expression exceeds the limit of steps.
  case tooMuchWork(pattern: String)
  /// Parentheses, negations or compound predicates are nested too deeply.
  case tooDeep(allowed: Int)
}

extension HKPredicateFormatError: ArgumentError, CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .unexpectedEnd: "The predicate format ends too early."
    case .unexpected(let text, let offset):
      "The predicate format has an unexpected '\(text)' at character \(offset)."
    case .unterminatedText(let offset):
      "The predicate format has a text without an end at character \(offset)."
    case .missingArgument(let index):
      "The predicate format has a placeholder without an argument (number \(index + 1))."
    case .unsuitableArgument(let index, let placeholder):
      "Argument \(index + 1) of the predicate format cannot stand for \(placeholder)."
    case .unknownKeyPath(let keyPath): "Samples have no '\(keyPath)' for a predicate to compare."
    case .unsuitableOperator(let keyPath, let name):
      "A predicate cannot compare '\(keyPath)' with the operator \(name)."
    case .unsuitableConstant(let keyPath, let constant):
      "A predicate cannot compare \(keyPath.map { "'\($0)'" } ?? "text") with \(constant)."
    case .twoKeyPaths(let left, let right):
      "A predicate compares '\(left)' with '\(right)': one side must be a constant."
    case .invalidPattern(let text): "'\(text)' is not a regular expression."
    case .tooMuchWork(let pattern):
      "Matching '\(pattern)' takes too many steps on some text; write it without nested repetition."
    case .tooDeep(let allowed): "The predicate is nested more than \(allowed) deep; flatten it."
    }
  }
}

extension HKPredicateFormatError: LocalizedError {
  /// The same text as the description.
  public var errorDescription: String? { description }

  /// The same text as the description, which a printed `NSError` shows.
  public var failureReason: String? { description }
}
