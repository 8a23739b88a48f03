import Foundation

/// A property of a quantity sample's values, by its key path.
enum SeriesField: String, Hashable, Sendable, CaseIterable {
  case count
  case minimum = "min"
  case maximum = "max"
  case mostRecent = "most_recent"
  case mostRecentStartDate = "most_recent_start_date"
  case mostRecentEndDate = "most_recent_end_date"
  case mostRecentDuration = "most_recent_duration"

  /// Returns the constant in its form for comparison, or nil if its kind does not apply.
  func operand(_ constant: Any) -> MetadataValue? {
    guard let value = MetadataValue(constant) else { return nil }
    let isSuitable =
      switch (self, value) {
      case (.minimum, .quantity), (.maximum, .quantity), (.mostRecent, .quantity): true
      case (.mostRecentStartDate, .date), (.mostRecentEndDate, .date): true
      case (.count, _), (.mostRecentDuration, _): value.number != nil
      default: false
      }
    return isSuitable ? value : nil
  }

  /// Returns whether samples of a kind have the property.
  func isOf(_ kind: SampleKind) -> Bool {
    self == .count ? kind.isQuantity : kind == .discreteQuantity
  }

  /// Returns whether the object has the property and it passes a test.
  ///
  /// Incompatible quantities never pass.
  func passes(_ test: ValueTest, _ object: HKObject) -> Bool {
    guard let value = value(of: object) else { return false }
    if case .quantity(let quantity) = value, case .quantity(let other)? = test.operands.first,
      !quantity.is(compatibleWith: other.unit)
    {
      return false
    }
    return test.admits(value)
  }

  private func value(of object: HKObject) -> MetadataValue? {
    if self == .count { return (object as? HKQuantitySample).map { .integer(Int64($0.count)) } }
    guard let sample = object as? HKDiscreteQuantitySample else { return nil }
    let latest = sample.mostRecentQuantityDateInterval
    return switch self {
    case .count: nil
    case .minimum: .quantity(sample.minimumQuantity)
    case .maximum: .quantity(sample.maximumQuantity)
    case .mostRecent: .quantity(sample.mostRecentQuantity)
    case .mostRecentStartDate: .date(latest.start)
    case .mostRecentEndDate: .date(latest.end)
    case .mostRecentDuration: .double(latest.duration)
    }
  }
}
