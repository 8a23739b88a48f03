public import Foundation

/// Why a predicate cannot be made from a format string or from an operator and a constant.
///
/// Our addition: HealthKit and Foundation raise an exception instead.
public enum HKPredicateFormatError: Error, Hashable, Sendable {
  /// The format string ends where more is needed.
  case unexpectedEnd
  /// Something stands where it makes no sense; the offset counts characters.
  case unexpected(String, offset: Int)
  /// A text in quotation marks has no end; the offset counts characters.
  case unterminatedText(offset: Int)
  /// There are more placeholders than arguments.
  case missingArgument(index: Int)
  /// The argument is not of a class that its placeholder can stand for.
  case unsuitableArgument(index: Int, placeholder: String)
  /// Samples and sources have nothing of that name.
  case unknownKeyPath(String)
  /// The operator makes no sense for the key path.
  case unsuitableOperator(keyPath: String, operator: String)
  /// The constant cannot be compared with the key path, or `nil` with a text operator.
  case unsuitableConstant(keyPath: String?, constant: String)
  /// A comparison needs a key path on one side and a constant on the other.
  case twoKeyPaths(String, String)
  /// The text is not a regular expression.
  case invalidPattern(String)
  /// Matching the regular expression takes more steps on some text than a predicate may take.
  case tooMuchWork(pattern: String)
  /// Parentheses, negations or compound predicates are nested too deeply.
  case tooDeep(allowed: Int)
}

extension HKPredicateFormatError: CustomStringConvertible {
  /// A sentence that names the mistake.
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
  /// The same sentence as the description.
  public var errorDescription: String? { description }

  /// The same sentence again, for an `NSError` that is printed.
  public var failureReason: String? { description }
}
