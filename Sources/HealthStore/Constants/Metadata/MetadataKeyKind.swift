import Foundation

/// The kind of value that a HealthKit metadata key requires.
package enum MetadataKeyKind: Hashable, Sendable {
  /// A string.
  case string

  /// A number.
  case number

  /// A number that is interpreted as a Boolean.
  case bool

  /// A date.
  case date

  /// A quantity in a unit that is compatible with the given one. Nil represents the unit of the
  /// sample's type, which ``admits(_:)`` does not check.
  case quantity(HKUnit?)

  /// The raw value of an enumeration.
  case enumeration

  /// Returns whether a value is of this kind.
  package func admits(_ value: Any) -> Bool {
    switch self {
    case .string: value as? String != nil
    case .number, .bool, .enumeration: value as? NSNumber != nil
    case .date: value as? Date != nil
    case .quantity(let unit):
      if let quantity = value as? HKQuantity {
        unit.map { quantity.is(compatibleWith: $0) } ?? true
      } else {
        false
      }
    }
  }

  fileprivate static let all: [String: MetadataKeyKind] =
    identity.merging(workouts) { first, _ in first }
    .merging(measurements) { first, _ in first }
    .merging(devices) { first, _ in first }
}

/// Returns the kind of value that a metadata key requires, or nil if the key is not one of
/// HealthKit's.
package func metadataKind(ofKey key: String) -> MetadataKeyKind? {
  MetadataKeyKind.all[key]
}
