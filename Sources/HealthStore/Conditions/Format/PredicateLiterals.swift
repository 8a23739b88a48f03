package import Foundation

/// The text representation of dates and quantities in a format string without arguments.
///
/// Programs pass such values as arguments; formats entered by a user cannot.
package struct PredicateLiterals: Sendable {
  private let date: @Sendable (String) -> Date?

  /// Creates literals.
  ///
  /// Dates are parsed by the function; quantities are a number, a space and a unit.
  package init(date: @escaping @Sendable (String) -> Date?) { self.date = date }

  /// Returns the value of text for a field, or nil if the field holds text.
  func value(_ text: String, of field: ConditionField) -> Any? {
    switch field {
    case .startDate, .endDate: date(text)
    case .quantity: Self.quantity(text)
    default: nil
    }
  }

  private static func quantity(_ text: String) -> HKQuantity? {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let value = Double(parts[0]), value.isFinite else { return nil }
    do {
      return HKQuantity(unit: try HKUnit.parse(String(parts[1])), doubleValue: value)
    } catch {
      return nil
    }
  }
}

extension NSPredicate {
  /// Returns a predicate for a format that a user entered.
  ///
  /// - Parameters:
  ///   - text: A format without placeholders, as for `init(format:_:)`.
  ///   - literals: The interpretation of text that is compared with dates and quantities.
  /// - Returns: The predicate.
  /// - Throws: ``HKPredicateFormatError``, which describes the error.
  package static func typed(
    _ text: String, _ literals: PredicateLiterals
  ) throws(HKPredicateFormatError) -> NSPredicate {
    SamplePredicate(try FormatParser.parse(text, [], literals: literals))
  }
}

extension ConditionConstant {
  /// Returns the constant with text converted to the field's kind of value.
  func reading(_ field: ConditionField, _ literals: PredicateLiterals?) -> ConditionConstant {
    guard let literals else { return self }
    switch self {
    case .value(let text as String): return .value(literals.value(text, of: field) ?? text)
    case .list(let list): return .list(list.map { $0.reading(field, literals) })
    default: return self
    }
  }
}
