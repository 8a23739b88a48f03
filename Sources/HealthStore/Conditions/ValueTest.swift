import Foundation

/// A test of an optional metadata or text value.
///
/// A missing value passes only `isNull` and `!=`. Values of different classes, and incompatible
/// quantities, are unequal and unordered. All numbers, including Booleans, have the same class.
struct ValueTest: Hashable, @unchecked Sendable {
  enum Operation: Hashable {
    case isNull
    case isNotNull
    case relation(Relation)
    case oneOf
    case beginsWith
    case endsWith
    case contains
    case like
    case matches
  }

  let operation: Operation
  /// The operands: one, any number for `oneOf`, none for null tests.
  let operands: [MetadataValue]
  let options: TextOptions
  /// The compiled operand of `like` and `matches`.
  private let pattern: Pattern?

  private enum Pattern {
    case wildcards(Wildcards)
    case expression(BoundedExpression)
  }

  /// Throws if the operand of a text operation is not text or not a valid pattern.
  init(
    _ operation: Operation, _ operands: [MetadataValue] = [], options: TextOptions = []
  ) throws(HKPredicateFormatError) {
    self.operation = operation
    self.operands = operands
    self.options = options
    switch operation {
    case .isNull, .isNotNull, .relation, .oneOf:
      pattern = nil
    case .beginsWith, .endsWith, .contains, .like, .matches:
      guard case .string(let text)? = operands.first else {
        throw .unsuitableConstant(
          keyPath: nil, constant: operands.first.map { ConditionConstant($0.object).text } ?? "nil")
      }
      pattern =
        switch operation {
        case .like: .wildcards(Wildcards(text.folded(options)))
        case .matches: .expression(try BoundedExpression(text, options))
        default: nil
        }
    }
  }

  static func == (left: ValueTest, right: ValueTest) -> Bool {
    left.operation == right.operation && left.operands == right.operands
      && left.options == right.options
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(operands)
    hasher.combine(options)
  }

  /// Returns whether the value passes.
  ///
  /// - Throws: ``HKPredicateFormatError/tooMuchWork(pattern:)`` if a regular expression takes too
  ///   many steps.
  func matches(_ value: MetadataValue?) throws(HKPredicateFormatError) -> Bool {
    guard case .expression(let expression)? = pattern else { return admits(value) }
    guard case .string(let text)? = value else { return false }
    return try expression.matches(text.folded(options))
  }

  /// Whether `matches` may throw.
  var mayFail: Bool { operation == .matches }

  /// Returns whether the value passes a test that cannot throw.
  ///
  /// A regular expression never passes.
  func admits(_ value: MetadataValue?) -> Bool {
    switch operation {
    case .isNull: return value == nil
    case .isNotNull: return value != nil
    case .relation(.notEqual):
      guard let value, let operand = operands.first else { return true }
      return !value.isEqual(to: operand, options)
    case .relation(let relation):
      guard
        let value, let operand = operands.first, let order = value.order(to: operand, options)
      else { return false }
      return relation.holds(order.rawValue, 0)
    case .oneOf:
      guard let value else { return false }
      return operands.contains { value.isEqual(to: $0, options) }
    case .beginsWith, .endsWith, .contains, .like, .matches:
      guard case .string(let text)? = value, case .string(let operand)? = operands.first else {
        return false
      }
      return admits(text.folded(options), operand.folded(options))
    }
  }

  private func admits(_ text: String, _ operand: String) -> Bool {
    switch operation {
    case .beginsWith: text.hasPrefix(operand)
    case .endsWith: text.hasSuffix(operand)
    // Every text contains the empty string; Foundation's `contains` disagrees.
    case .contains: operand.isEmpty || text.contains(operand)
    default:
      if case .wildcards(let wildcards)? = pattern { wildcards.matches(text) } else { false }
    }
  }
}

extension MetadataValue {
  fileprivate func isEqual(to other: MetadataValue, _ options: TextOptions) -> Bool {
    order(to: other, options) == .orderedSame
  }

  /// Returns the order of two values, or nil if they are unordered.
  fileprivate func order(
    to other: MetadataValue, _ options: TextOptions
  ) -> ComparisonResult? {
    switch (self, other) {
    case (.string(let left), .string(let right)):
      return Self.order(left.folded(options), right.folded(options))
    case (.date(let left), .date(let right)):
      return Self.order(left, right)
    case (.quantity(let left), .quantity(let right)):
      guard let value = left.converted(to: right.unit) else { return nil }
      return Self.order(value, right.value)
    default:
      if let left = wholeNumber, let right = other.wholeNumber { return Self.order(left, right) }
      guard let left = number, let right = other.number else { return nil }
      return Self.order(left, right)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value)
    -> ComparisonResult?
  {
    if left < right { return .orderedAscending }
    if right < left { return .orderedDescending }
    return left == right ? .orderedSame : nil
  }

  private var wholeNumber: Int128? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: nil
    }
  }

  /// The value as a floating-point number, or nil if it is not a number.
  var number: Double? {
    if case .double(let value) = self { return value }
    return wholeNumber.map(Double.init)
  }
}
