/// What an export has, and what of the store it has not.
public struct WritingSummary: Equatable, Sendable {
  /// Objects in the export, by the identifier of their type.
  public internal(set) var types: [String: Int] = [:]
  /// Objects that are not in the export, because Apple's format has none of their type, by the
  /// identifier of the type.
  public internal(set) var unrepresented: [String: Int] = [:]
  /// What the export does not say of objects that are in it: how many objects that is true of.
  public internal(set) var losses: [ExportLoss: Int] = [:]
  /// Objects that are not in the export because they cannot be read: a sentence each, with the
  /// identifier.
  public internal(set) var unreadable: [String] = []
  /// The number of files.
  public internal(set) var fileCount = 0
  /// The bytes of all files.
  public internal(set) var byteCount = 0

  /// Objects in the export.
  public var written: Int { types.values.reduce(0, +) }
  /// Objects that are not in the export.
  public var left: Int { unrepresented.values.reduce(0, +) }

  mutating func note(_ loss: ExportLoss, count: Int = 1) {
    if count > 0 { losses[loss, default: 0] += count }
  }
}

/// What Apple's format does not say of an object.
public enum ExportLoss: String, CaseIterable, Sendable {
  /// Its identifier: an import makes another one.
  case identifier
  /// The fraction of a second in its dates, or a year without four digits.
  case exactDates
  /// What its source revision has beside name and version.
  case sourceDetails
  /// The bundle identifier in the name under which a later version replaces it, for which an import
  /// takes the name of the source.
  case replacement
  /// Characters that XML cannot carry, which became U+FFFD.
  case characters
  /// The values of a quantity series, of which the sum or average is there.
  case seriesValues
  /// The samples of a workout, or those that an object belongs to.
  case links
  /// The source or the device of a record whose element has neither.
  case provenance
  /// The metadata of an object whose element or file has none.
  case metadata
  /// The times of voltages that are not those of its sampling frequency.
  case voltageTimes
  /// The files that were attached to it.
  case attachments
  /// Characteristics, units, goals and orders of sources that Apple's format has no words for.
  case settings
  /// The move mode of an activity summary that counts time, or that its rings were paused.
  case activityModes
}

extension ExportLoss: CustomStringConvertible {
  /// The loss as a phrase.
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
