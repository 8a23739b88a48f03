import HealthStore

/// Types as people name them: `heartRate` or `HKQuantityTypeIdentifierHeartRate`.
enum TypeArgument {
  /// The type's identifier; throws a sentence that names similar types when there is none.
  static func identifier(_ text: String) throws(UsageError) -> String {
    if let type = HKSampleType.named(text) { return type.identifier }
    // Imports keep samples of types that this version does not know.
    if text.hasPrefix("HK") { return text }
    let wanted = text.lowercased()
    let similar = HKSampleType.all.map(\.shortName).filter { name in
      let name = name.lowercased()
      return name.contains(wanted) || wanted.contains(name)
    }
    .sorted { ($0.count, $0) < ($1.count, $1) }
    let advice =
      similar.isEmpty
      ? "use a name such as heartRate, stepCount or sleepAnalysis"
      : "did you mean \(similar.prefix(5).joined(separator: ", "))"
    throw UsageError("There is no type \(text); \(advice)\(similar.isEmpty ? "." : "?")")
  }
}
