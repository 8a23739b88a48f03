import Foundation

/// The left side of a comparison, identified by a key path.
enum ConditionField: Hashable {
  case startDate
  case endDate
  case quantity
  case categoryValue
  case uuid
  case source
  case sourceRevision
  case device
  case correlation
  case text(TextField)
  case metadata(String)
  case series(SeriesField)
  /// The day of an activity summary.
  case day
  case record(RecordField)
  case workoutProperty(WorkoutProperty)

  /// Throws if the key path is unknown.
  ///
  /// Everything after `metadata.` is the key, including dots.
  init(keyPath: String) throws(HKPredicateFormatError) {
    let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? String(parts[1]) : nil
    switch (parts.first ?? "", rest) {
    case ("startDate", nil): self = .startDate
    case ("endDate", nil): self = .endDate
    case ("quantity", nil): self = .quantity
    case ("value", nil): self = .categoryValue
    case ("UUID", nil), ("uuid", nil): self = .uuid
    case ("source", nil): self = .source
    case ("sourceRevision", nil): self = .sourceRevision
    case ("device", nil): self = .device
    case ("correlation", nil): self = .correlation
    case ("metadata", let key?) where !key.isEmpty: self = .metadata(key)
    // Predicates on sources use these two fields.
    case ("name", nil), ("source", "name"), ("sourceRevision", "source.name"):
      self = .text(.sourceName)
    case ("bundleIdentifier", nil), ("source", "bundleIdentifier"),
      ("sourceRevision", "source.bundleIdentifier"):
      self = .text(.sourceBundleIdentifier)
    case ("sourceRevision", "source"): self = .source
    case ("sourceRevision", "version"): self = .text(.sourceVersion)
    case ("sourceRevision", "productType"): self = .text(.productType)
    case ("device", let name?):
      guard let property = DeviceProperty(keyPath: name) else { throw .unknownKeyPath(keyPath) }
      self = .text(.device(property))
    case ("dateComponents", nil): self = .day
    default:
      if let field = SeriesField(rawValue: keyPath) {
        self = .series(field)
      } else if let field = RecordField(rawValue: keyPath) {
        self = .record(field)
      } else if let field = WorkoutProperty(keyPath: keyPath) {
        self = .workoutProperty(field)
      } else {
        throw .unknownKeyPath(keyPath)
      }
    }
  }

  var keyPath: String {
    switch self {
    case .startDate: "startDate"
    case .endDate: "endDate"
    case .quantity: "quantity"
    case .categoryValue: "value"
    case .uuid: "UUID"
    case .source: "source"
    case .sourceRevision: "sourceRevision"
    case .device: "device"
    case .correlation: "correlation"
    case .text(let field): field.name
    case .metadata(let key): "metadata.\(key)"
    case .series(let field): field.rawValue
    case .day: "dateComponents"
    case .record(let field): field.rawValue
    case .workoutProperty(let field): field.keyPath
    }
  }
}
