/// The names that category values have in Apple's exports, such as
/// `HKCategoryValueSleepAnalysisAsleepCore`.
package enum CategoryValueNames {
  /// The number of an imported value whose name this version does not know.
  package static let unknownValue = -1
  /// The metadata key under which an imported sample keeps such a name.
  package static let unknownNameKey = "HealthStoreCategoryValueName"

  /// Returns the value with a current or older name, or nil if the type has no such value.
  package static func value(named name: String, for type: HKCategoryType) -> Int? {
    guard let family = families[type.identifier] else { return nil }
    if let value = family.aliases[name] { return value }
    guard name.hasPrefix(family.prefix) else { return nil }
    let rest = name.dropFirst(family.prefix.count)
    guard let index = family.names.firstIndex(where: { $0 == rest }) else { return nil }
    return family.range.lowerBound + index
  }

  /// Returns the current name of a value, or nil if the type has no such value.
  package static func name(of value: Int, for type: HKCategoryType) -> String? {
    guard let family = families[type.identifier], family.range.contains(value) else { return nil }
    return family.prefix + family.names[value - family.range.lowerBound]
  }

  private static let families: [String: CategoryValueFamily] = {
    var families: [String: CategoryValueFamily] = [:]
    for row in CategoryTypeRow.all { families[row.identifier.rawValue] = row.values }
    return families
  }()
}
