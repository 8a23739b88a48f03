package import Foundation

/// How a format string without arguments writes dates and quantities: as text.
///
/// A format of a program has them as arguments; one that somebody types cannot.
package struct PredicateLiterals: Sendable {
  private let date: @Sendable (String) -> Date?

  /// Reads dates as the function does, and quantities as a number, a space and a unit.
  package init(date: @escaping @Sendable (String) -> Date?) { self.date = date }

  /// What text stands for where a field is no text; nil where it stands for itself.
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
  /// Makes a predicate from a format that somebody typed.
  ///
  /// - Parameters:
  ///   - text: A format without placeholders, as `init(format:_:)` takes it.
  ///   - literals: What text means that is compared with dates and quantities.
  /// - Returns: The predicate.
  /// - Throws: ``HKPredicateFormatError``, which names the mistake.
  package static func typed(
    _ text: String, _ literals: PredicateLiterals
  ) throws(HKPredicateFormatError) -> NSPredicate {
    SamplePredicate(try FormatParser.parse(text, [], literals: literals))
  }
}

extension ConditionConstant {
  /// The constant with its text read as what a field holds.
  func reading(_ field: ConditionField, _ literals: PredicateLiterals?) -> ConditionConstant {
    guard let literals else { return self }
    switch self {
    case .value(let text as String): return .value(literals.value(text, of: field) ?? text)
    case .list(let list): return .list(list.map { $0.reading(field, literals) })
    default: return self
    }
  }
}
