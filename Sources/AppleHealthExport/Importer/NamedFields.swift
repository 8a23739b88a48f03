import Foundation
import HealthStore

/// The attributes of an element by their names, the last of each.
struct NamedFields {
  private let values: [String: String]
  /// What the element stands for, in problems with it.
  private let what: String

  init(_ entries: [ExportEntry], of what: String) {
    values = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    self.what = what
  }

  /// The text of an attribute; `nil` when it is not there or empty.
  func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// The text of an attribute that must be there.
  func required(_ name: String) throws(ImportRejection) -> String {
    guard let text = text(name) else { throw .unstorable(what, "it has no \(name).") }
    return text
  }

  /// The number of an attribute; `nil` when it is not there.
  func number(_ name: String) throws(ImportRejection) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = NumberText.finite(text) else {
      throw ImportRejection(problem: .invalidNumber(type: what))
    }
    return number
  }

  /// The truth value of an attribute; `nil` when it is not there.
  func flag(_ name: String) throws(ImportRejection) -> Bool? {
    guard let text = text(name) else { return nil }
    guard case .boolean(let flag)? = MetadataText.value(text, as: .boolean) else {
      throw ImportRejection(problem: .unknownValue(type: what, value: text))
    }
    return flag
  }

  /// The quantity of an attribute whose unit is another, or else `usual`; `nil` when it is not
  /// there.
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
  /// The instant that `text` names, for a day its beginning in UTC.
  static func instantOrDay(_ text: String) -> Date? {
    if let instant = instant(text) { return instant }
    guard var day = day(text) else { return nil }
    day.timeZone = .gmt
    return Calendar(identifier: .gregorian).date(from: day)
  }
}
