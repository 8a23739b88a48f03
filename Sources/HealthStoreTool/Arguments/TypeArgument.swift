import HealthStore
import SampleLog

/// Parses a type's name: `heartRate` or `HKQuantityTypeIdentifierHeartRate`.
enum TypeArgument {
  /// Returns the identifier of a type, or throws an error that suggests similar names.
  static func identifier(_ text: String) throws(UsageError) -> String {
    if let type = HKSampleType.named(text) { return type.identifier }
    if text.lowercased() == ActivityDay.typeName.lowercased() { return ActivityDay.type }
    // Imports keep samples of types unknown to this version.
    if text.hasPrefix("HK") { return text }
    let wanted = text.lowercased()
    let names = HKSampleType.all.map(\.shortName)
    var similar = names.filter { name in
      let name = name.lowercased()
      return name.contains(wanted) || wanted.contains(name)
    }
    .sorted { ($0.count, $0) < ($1.count, $1) }
    if similar.isEmpty, let near = Suggestion.nearest(text, among: names) { similar = [near] }
    let advice =
      similar.isEmpty
      ? "use a name such as heartRate, stepCount or sleepAnalysis"
      : "did you mean \(similar.prefix(5).joined(separator: ", "))"
    throw UsageError("There is no type \(text); \(advice)\(similar.isEmpty ? "." : "?")")
  }

  /// Throws if a type is neither known to this version nor present in the store.
  static func check(_ identifiers: [String], in database: Database) throws(UsageError) {
    for identifier in identifiers
    where HKSampleType.named(identifier) == nil && identifier != ActivityDay.type {
      // Opening the store has loaded the names of its types.
      if database.symbols.find(Array(identifier.utf8)) != nil { continue }
      let known = HKSampleType.all.map(\.identifier)
      let question = Suggestion.question(identifier, among: known)
      throw UsageError(
        "Neither is there a type \(identifier) nor has the store one"
          + (question.isEmpty ? "." : question))
    }
  }
}
