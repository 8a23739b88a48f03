public import Foundation

/// The result of an import: counts of the imported samples, and of the data that was not imported.
public struct ImportSummary: Equatable, Sendable {
  /// The number of samples of one type.
  public struct TypeCount: Equatable, Sendable {
    /// The number of samples added to the store.
    public internal(set) var added = 0
    /// The number of samples that the store already had.
    public internal(set) var known = 0
  }

  /// The number of occurrences of something, and the position of the first.
  public struct Occurrences: Equatable, Sendable {
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The offset of the first affected item, in bytes from the start of the document.
    public internal(set) var firstOffset: Int64
  }

  /// The number of samples, by type identifier.
  public internal(set) var types: [String: TypeCount] = [:]
  /// The number of characteristics that the import set in the store.
  public internal(set) var characteristics = 0
  /// The number of activity summaries that the import set in the store.
  public internal(set) var activitySummaries = 0
  /// The number of settings that the import set in the store; only exports written by
  /// ``ExportWriter`` contain any.
  public internal(set) var settings = 0
  /// Data that the store cannot represent, such as attachments of prescriptions.
  public internal(set) var unrepresented: [String: Occurrences] = [:]
  /// The files that were not imported, or only in part, with the problem of each.
  ///
  /// Contains at most 256 names; further files share an empty name.
  public internal(set) var files: [String: FileProblem] = [:]
  /// Types and values that were imported although this version does not know them.
  ///
  /// Contains at most 256 identifiers; further ones are counted under an empty one.
  public internal(set) var unknownTypes: [String: Occurrences] = [:]
  /// The items and parts that were rejected, by reason.
  ///
  /// Contains at most 256 reasons; further ones are counted under ``ImportProblem/other``.
  public internal(set) var problems: [ImportProblem: Occurrences] = [:]
  /// The number of metadata values that were kept as text, by key.
  ///
  /// Contains at most 256 keys; further ones are counted under an empty key.
  public internal(set) var metadataKeptAsText: [String: Int] = [:]
  /// The date of the export.
  public internal(set) var exportDate: Date?
  /// The summary of the reader.
  public internal(set) var reading = ExportSummary()

  /// The total number of samples added to the store.
  public var added: Int { types.values.reduce(0) { $0 + $1.added } }
  /// The total number of samples that the store already had.
  public var known: Int { types.values.reduce(0) { $0 + $1.known } }
  /// The total number of rejected items and parts.
  public var rejected: Int { problems.values.reduce(0) { $0 + $1.count } }

  /// The number of parts of the export that were skipped because they are invalid, are unknown or
  /// exceed a limit, and the byte offset of the first.
  ///
  /// Nil if there are none. In that case, everything in the document is in the store, in
  /// ``unrepresented``, or listed in `Docs/exports.md` as deliberately omitted.
  public var broken: (count: Int, firstOffset: Int64?)? {
    let count = rejected + reading.problems.values.reduce(0, +)
    if count == 0 { return nil }
    let offsets = problems.values.map(\.firstOffset) + reading.firstProblems.map(\.offset)
    return (count, offsets.min())
  }

  private static let mostNames = 256

  mutating func noteUnrepresented(_ name: String, count: Int = 1, at offset: Int64) {
    unrepresented[name, default: Occurrences(count: 0, firstOffset: offset)].count += count
  }

  mutating func note(_ problem: FileProblem, file: String) {
    let name = file.clipped
    let key = files[name] != nil || files.count < Self.mostNames ? name : ""
    // A broken file takes precedence over other problems with the same key.
    if files[key]?.isBroken == true, !problem.isBroken { return }
    files[key] = problem
  }

  mutating func noteUnknown(_ type: String, at offset: Int64) {
    let isNamed = unknownTypes[type] != nil || unknownTypes.count < Self.mostNames
    unknownTypes[isNamed ? type : "", default: Occurrences(count: 0, firstOffset: offset)]
      .count += 1
  }

  mutating func note(_ problem: ImportProblem, at offset: Int64) {
    let problem = problem.clipped
    let isNamed = problems[problem] != nil || problems.count < Self.mostNames
    problems[isNamed ? problem : .other, default: Occurrences(count: 0, firstOffset: offset)]
      .count += 1
  }
}

/// A reason for which a file of an export was not imported, or only in part.
public enum FileProblem: Hashable, Sendable {
  /// This version does not import files of this kind.
  case unrepresented
  /// The document references the file, but it does not exist.
  case missing
  /// The file has more bytes than an import reads from such a file.
  case tooLong(limit: Int)
  /// The file could not be read.
  case unreadable(reason: String)
  /// The file contains no valid data.
  case empty
  /// The given number of points is invalid, or the file is truncated; the other points were
  /// imported.
  case damaged(points: Int)
  /// The given number of elevations, speeds, courses and accuracies cannot be parsed; their points
  /// were imported without them.
  case incomplete(numbers: Int)
}

extension FileProblem: CustomStringConvertible {
  /// A phrase that describes the reason.
  public var description: String {
    switch self {
    case .unrepresented: "not imported by this version"
    case .missing: "named by the export, but not there"
    case .tooLong(let limit): "longer than \(limit) bytes"
    case .unreadable(let reason): reason
    case .empty: "nothing in it can be understood"
    case .incomplete(let numbers): "\(numbers) \(numbers == 1 ? "number" : "numbers") left out"
    case .damaged(let points):
      switch points {
      case 0: "cut short"
      case 1: "1 point left out"
      default: "\(points) points left out"
      }
    }
  }

  /// Whether the cause is a defect of the export, not a limitation of this version.
  public var isBroken: Bool { self != .unrepresented }
}

/// A problem with an item of an export, or with a part of one.
public enum ImportProblem: Hashable, Sendable {
  /// The type is unknown and not a quantity, or records cannot have it.
  case unknownType(String)
  /// The unit is invalid, or incompatible with the type.
  case unusableUnit(type: String, unit: String)
  /// The value of a quantity is not a finite number.
  case invalidNumber(type: String)
  /// The value is not one of the type's values.
  case unknownValue(type: String, value: String)
  /// The dates or the metadata cannot be stored.
  case unstorable(type: String, reason: String)
  /// The name of a type, unit, source or device exceeds the store's limit.
  case nameTooLong(type: String, what: String)
  /// The export has more distinct names than an import may add to a store.
  case tooManyNames(what: String)
  /// A correlation has too many members; they were imported as separate samples.
  case tooManyMembers(type: String, count: Int)
  /// A member of a correlation could not be imported; the correlation was imported without it.
  case missingMember(type: String)
  /// An object has several values for a single-valued field; one of them was imported.
  case repeated(type: String, what: String)
  /// All further reasons, once the summary lists the maximum number.
  case other
}

extension ImportProblem: CustomStringConvertible {
  /// A phrase that describes the reason.
  public var description: String {
    switch self {
    case .unknownType(let type): "unknown type \(type)"
    case .unusableUnit(let type, let unit):
      "\(type) cannot be in \(unit.isEmpty ? "no unit" : unit)"
    case .invalidNumber(let type): "\(type) without a finite number"
    case .unknownValue(let type, let value): "\(type) has no value \(value.prefix(80))"
    case .unstorable(let type, let reason): "\(type): \(reason)"
    case .nameTooLong(let type, let what): "\(type) with a name too long for a \(what)"
    case .tooManyNames(let what): "more different \(what) than an import may add"
    case .tooManyMembers(let type, let count): "\(type) with \(count) members"
    case .missingMember(let type): "\(type) without one of its members"
    case .repeated(let type, let what): "\(type) with several \(what)"
    case .other: "further reasons"
    }
  }
}

extension ImportProblem {
  /// The problem, with the texts of the file truncated.
  var clipped: ImportProblem {
    switch self {
    case .unknownType(let type): .unknownType(type.clipped)
    case .unusableUnit(let type, let unit): .unusableUnit(type: type.clipped, unit: unit.clipped)
    case .invalidNumber(let type): .invalidNumber(type: type.clipped)
    case .unknownValue(let type, let value): .unknownValue(type: type, value: value.clipped)
    case .unstorable(let type, let reason): .unstorable(type: type, reason: reason.clipped)
    case .nameTooLong(let type, let what): .nameTooLong(type: type.clipped, what: what)
    case .repeated(let type, let what): .repeated(type: type.clipped, what: what.clipped)
    case .tooManyNames, .tooManyMembers, .missingMember, .other: self
    }
  }
}

extension String {
  /// The text truncated to 256 Unicode scalars; the size of a single character is unbounded.
  var clipped: String {
    // A text never has more scalars than bytes.
    if utf8.count <= 256 { return self }
    let start = unicodeScalars.prefix(257)
    return start.count <= 256 ? self : String(start.dropLast()) + "…"
  }
}
