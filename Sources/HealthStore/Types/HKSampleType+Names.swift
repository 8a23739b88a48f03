/// Types by the names that people type and read.
extension HKSampleType {
  /// Every type of samples, by rising identifier.
  package static var all: [HKSampleType] {
    TypeCatalogue.shared.types.values.compactMap { $0 as? HKSampleType }
      .sorted { $0.identifier < $1.identifier }
  }

  /// The name that Swift has for the type, such as `heartRate` or `vo2Max`.
  package var shortName: String { Self.shortName(ofIdentifier: identifier) }

  /// The same for any identifier; one that does not look like HealthKit's stays as it is.
  package static func shortName(ofIdentifier identifier: String) -> String {
    for prefix in prefixes where identifier.hasPrefix(prefix) && identifier.count > prefix.count {
      return lowercased(identifier.dropFirst(prefix.count))
    }
    // `HKWorkoutTypeIdentifier` has its name in front.
    if identifier.hasPrefix("HK"), identifier.hasSuffix("TypeIdentifier") {
      let name = identifier.dropFirst(2).dropLast("TypeIdentifier".count)
      if !name.isEmpty { return lowercased(name) }
    }
    return identifier
  }

  /// The type of that short name (in any case) or identifier, or nil.
  package static func named(_ name: String) -> HKSampleType? {
    if let type = HKObjectType.make(identifier: name) as? HKSampleType { return type }
    let wanted = name.lowercased()
    return all.first { $0.shortName.lowercased() == wanted }
  }

  private static let prefixes = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
    "HKDocumentTypeIdentifier", "HKClinicalTypeIdentifier", "HKScoredAssessmentTypeIdentifier",
    "HKDataTypeIdentifier", "HKDataType",
  ]

  /// `HeartRate` to `heartRate`, `VO2Max` to `vo2Max`, `UVExposure` to `uvExposure`.
  private static func lowercased(_ name: Substring) -> String {
    let capitals = name.prefix { !$0.isLowercase }
    // The last capital of several begins the next word.
    let count =
      capitals.count > 1 && capitals.count < name.count
        && capitals.last?.isUppercase == true ? capitals.count - 1 : capitals.count
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }
}
