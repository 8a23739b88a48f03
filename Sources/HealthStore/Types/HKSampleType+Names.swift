/// Short names of types, for command lines and output.
extension HKSampleType {
  /// All sample types, sorted by identifier.
  package static var all: [HKSampleType] {
    TypeCatalogue.shared.types.values.compactMap { $0 as? HKSampleType }
      .sorted { $0.identifier < $1.identifier }
  }

  /// The Swift name of the type, such as `heartRate` or `vo2Max`.
  package var shortName: String { Self.shortName(ofIdentifier: identifier) }

  /// Returns the short name for any identifier.
  ///
  /// An identifier without HealthKit's form is returned unchanged.
  package static func shortName(ofIdentifier identifier: String) -> String {
    for prefix in prefixes where identifier.hasPrefix(prefix) && identifier.count > prefix.count {
      return lowercased(identifier.dropFirst(prefix.count))
    }
    // In `HKWorkoutTypeIdentifier` the name precedes the suffix.
    if identifier.hasPrefix("HK"), identifier.hasSuffix("TypeIdentifier") {
      let name = identifier.dropFirst(2).dropLast("TypeIdentifier".count)
      if !name.isEmpty { return lowercased(name) }
    }
    return identifier
  }

  /// Returns the type with a short name, ignoring case, or an identifier; nil if there is none.
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

  /// Converts `HeartRate` to `heartRate`, `VO2Max` to `vo2Max`, `UVExposure` to `uvExposure`.
  private static func lowercased(_ name: Substring) -> String {
    let capitals = name.prefix { !$0.isLowercase }
    // The last of several capitals begins the next word.
    let count =
      capitals.count > 1 && capitals.count < name.count
        && capitals.last?.isUppercase == true ? capitals.count - 1 : capitals.count
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }
}
