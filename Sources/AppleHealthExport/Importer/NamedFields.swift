import Foundation
import HealthStore

/// The attributes of an element by name; the last value of a repeated name.
struct NamedFields {
  private let values: [String: String]
  /// The name of the element's type in problems.
  private let what: String

  init(_ entries: [ExportEntry], of what: String) {
    values = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    self.what = what
  }

  /// Returns the text of an attribute, or nil if it is missing or empty.
  func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the text of a required attribute.
  func required(_ name: String) throws(ImportRejection) -> String {
    guard let text = text(name) else { throw .unstorable(what, "it has no \(name).") }
    return text
  }

  /// Returns the number of an attribute, or nil if it is missing.
  func number(_ name: String) throws(ImportRejection) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = NumberText.finite(text) else {
      throw ImportRejection(problem: .invalidNumber(type: what))
    }
    return number
  }

  /// Returns the Boolean of an attribute, or nil if it is missing.
  func flag(_ name: String) throws(ImportRejection) -> Bool? {
    guard let text = text(name) else { return nil }
    guard case .boolean(let flag)? = MetadataText.value(text, as: .boolean) else {
      throw ImportRejection(problem: .unknownValue(type: what, value: text))
    }
    return flag
  }

  /// Returns the quantity of an attribute, or nil if it is missing.
  ///
  /// Another attribute, `unit`, names its unit, which is `usual` by default.
  func quantity(
    _ name: String, unit: String, _ usual: HKUnit
  ) throws(ImportRejection) -> HKQuantity? {
    guard let number = try number(name) else { return nil }
    guard let text = text(unit) else { return HKQuantity(unit: usual, doubleValue: number) }
    guard text.utf8.count <= NameAllowance.longestUnit, let own = try? HKUnit.parse(text) else {
      throw ImportRejection(problem: .unusableUnit(type: what, unit: text))
    }
    let quantity = HKQuantity(unit: own, doubleValue: number)
    guard quantity.is(compatibleWith: usual) else {
      throw ImportRejection(problem: .unusableUnit(type: what, unit: text))
    }
    return quantity
  }
}

extension ExportDateFormat {
  /// Parses an instant, or a day as its start in UTC.
  static func instantOrDay(_ text: String) -> Date? {
    if let instant = instant(text) { return instant }
    guard var day = day(text) else { return nil }
    day.timeZone = .gmt
    return Calendar(identifier: .gregorian).date(from: day)
  }
}
