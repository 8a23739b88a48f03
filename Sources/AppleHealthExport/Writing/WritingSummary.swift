/// The result of writing an export: counts of the objects in it, and of the data that it lacks.
public struct WritingSummary: Equatable, Sendable {
  /// The number of objects in the export, by type identifier.
  public internal(set) var types: [String: Int] = [:]
  /// The number of objects omitted because Apple's format cannot represent their type, by type
  /// identifier.
  public internal(set) var unrepresented: [String: Int] = [:]
  /// The number of objects in the export that are affected by each loss.
  public internal(set) var losses: [ExportLoss: Int] = [:]
  /// The objects omitted because they cannot be read: one sentence each, with the identifier.
  public internal(set) var unreadable: [String] = []
  /// The number of files written.
  public internal(set) var fileCount = 0
  /// The total size of all files, in bytes.
  public internal(set) var byteCount = 0

  /// The total number of objects in the export.
  public var written: Int { types.values.reduce(0, +) }
  /// The total number of objects that Apple's format cannot represent.
  public var left: Int { unrepresented.values.reduce(0, +) }

  mutating func note(_ loss: ExportLoss, count: Int = 1) {
    if count > 0 { losses[loss, default: 0] += count }
  }
}

/// A kind of data that Apple's format cannot represent.
public enum ExportLoss: String, CaseIterable, Sendable {
  /// The identifier; an import assigns a new one.
  case identifier
  /// Fractions of a second in the dates, or a year without four digits.
  case exactDates
  /// The fields of the source revision other than name and version.
  case sourceDetails
  /// The bundle identifier in the key by which a later version replaces the object; an import uses
  /// the name of the source instead.
  case replacement
  /// Characters that XML cannot represent, replaced by U+FFFD.
  case characters
  /// The values of a quantity series, of which only the sum or average is exported.
  case seriesValues
  /// The links to the samples of a workout, or to the samples that an object belongs to.
  case links
  /// The source and device of an object whose element has no attributes for them.
  case provenance
  /// The metadata of an object whose element or file cannot contain any.
  case metadata
  /// The times of voltages that do not follow from the sampling frequency.
  case voltageTimes
  /// The attached files.
  case attachments
  /// Characteristics, units, goals and source orders that Apple's format cannot represent.
  case settings
  /// The move mode of an activity summary that counts time, or a pause of its rings.
  case activityModes
}

extension ExportLoss: CustomStringConvertible {
  /// A phrase that names the loss.
  public var description: String {
    switch self {
    case .identifier: "identifiers of objects"
    case .exactDates: "fractions of seconds, or years without four digits"
    case .sourceDetails: "bundle identifiers, products and systems of sources"
    case .replacement: "sync identifiers that a later version replaces an object by"
    case .characters: "objects with characters that XML cannot carry"
    case .seriesValues: "values of quantity series"
    case .links: "links between workouts or symptoms and samples"
    case .provenance: "sources and devices of objects whose element has none"
    case .metadata: "metadata of objects whose element or file has none"
    case .voltageTimes: "times of voltages that do not follow from the sampling frequency"
    case .attachments: "attachments"
    case .settings: "settings that Apple's format has no words for"
    case .activityModes: "move modes and pauses of activity summaries"
    }
  }
}
