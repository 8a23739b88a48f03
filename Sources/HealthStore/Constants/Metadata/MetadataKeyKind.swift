import Foundation

/// What the value of one of HealthKit's metadata keys must be.
package enum MetadataKeyKind: Hashable, Sendable {
  /// A string.
  case string

  /// A number.
  case number

  /// A number that is true or false.
  case bool

  /// A date.
  case date

  /// A quantity in any unit compatible with that one, or, without one, with the sample's.
  case quantity(HKUnit?)

  /// The raw value of an enumeration.
  case enumeration

  /// Whether a value is of the kind.
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

/// What the value of a metadata key must be, or nil when the key is not one of HealthKit's.
package func metadataKind(ofKey key: String) -> MetadataKeyKind? {
  MetadataKeyKind.all[key]
}
