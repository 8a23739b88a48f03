public import Foundation

/// What an import did, and what of the export it could not bring over.
public struct ImportSummary: Equatable, Sendable {
  /// How many samples of one type there were.
  public struct TypeCount: Equatable, Sendable {
    /// Samples that are new in the store.
    public internal(set) var added = 0
    /// Samples that were in the store already.
    public internal(set) var known = 0
  }

  /// How often something was met, and where first.
  public struct Occurrences: Equatable, Sendable {
    /// How often.
    public internal(set) var count: Int
    /// Where the first item concerned starts, in bytes from the start of the document.
    public internal(set) var firstOffset: Int64
  }

  /// Samples by the identifier of their type.
  public internal(set) var types: [String: TypeCount] = [:]
  /// How many characteristics of the person the export has, which the store now has as well.
  public internal(set) var characteristics = 0
  /// How many days the export has activity summaries of, which the store now has as well.
  public internal(set) var activitySummaries = 0
  /// How many settings of the person the export has, which the store now has as well; only exports
  /// that ``ExportWriter`` made have any.
  public internal(set) var settings = 0
  /// What an export contains and the store cannot hold, such as attachments of prescriptions.
  public internal(set) var unrepresented: [String: Occurrences] = [:]
  /// Files beside the document that were not imported, and why; at most 256 names, what is beyond
  /// is counted under an empty name.
  public internal(set) var files: [String: FileProblem] = [:]
  /// Types and values that were imported although this version does not know them.
  ///
  /// At most 256 identifiers; what is beyond is counted under an empty one.
  public internal(set) var unknownTypes: [String: Occurrences] = [:]
  /// What could not be understood, by the reason; at most 256 reasons, the rest under one.
  public internal(set) var problems: [ImportProblem: Occurrences] = [:]
  /// Metadata values that were kept as the text they stood as, by key.
  ///
  /// At most 256 keys; what is beyond is counted under an empty key.
  public internal(set) var metadataKeptAsText: [String: Int] = [:]
  /// When the export was made.
  public internal(set) var exportDate: Date?
  /// What the reader came across.
  public internal(set) var reading = ExportSummary()

  /// Samples that are new in the store.
  public var added: Int { types.values.reduce(0) { $0 + $1.added } }
  /// Samples that were in the store already.
  public var known: Int { types.values.reduce(0) { $0 + $1.known } }
  /// Items that were left out because they could not be understood.
  public var rejected: Int { problems.values.reduce(0) { $0 + $1.count } }

  /// The number of parts of the export that were left out because they are broken, not known or
  /// above a limit, and the offset of the first.
  ///
  /// Nil if there are none. Then everything in the document is in the store, or in
  /// ``unrepresented``, or listed in `Docs/exports.md` as deliberately left out.
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
    // A broken file decides the result, whatever else has its key.
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

/// Why a file beside an export's document was left out, as a whole or in part.
public enum FileProblem: Hashable, Sendable {
  /// The store cannot hold what is in files of its folder.
  case unrepresented
  /// The document names it, and it is not there.
  case missing
  /// It has more bytes than an import reads of such a file.
  case tooLong(limit: Int)
  /// It could not be read.
  case unreadable(reason: String)
  /// Nothing in it makes sense.
  case empty
  /// So many of its points make no sense, or it is cut short; the others were imported.
  case damaged(points: Int)
  /// So many elevations, speeds, courses and accuracies of its points cannot be read; the points
  /// were imported without them.
  case incomplete(numbers: Int)
}

extension FileProblem: CustomStringConvertible {
  /// The reason as a phrase.
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

  /// Whether the export is at fault, and not what this version knows.
  public var isBroken: Bool { self != .unrepresented }
}

/// Why an item of an export was left out.
public enum ImportProblem: Hashable, Sendable {
  /// The type is none that this version knows, and no quantity, or one that records do not have.
  case unknownType(String)
  /// The unit is none, or one that the type's quantities cannot have.
  case unusableUnit(type: String, unit: String)
  /// The value of a quantity is no finite number.
  case invalidNumber(type: String)
  /// The value of a category is none of the type's.
  case unknownValue(type: String, value: String)
  /// The dates or the metadata cannot be stored.
  case unstorable(type: String, reason: String)
  /// A name is longer than the store's names may be: that of a type, unit, source or device.
  case nameTooLong(type: String, what: String)
  /// The export has more distinct names than an import may add to a store.
  case tooManyNames(what: String)
  /// A correlation has more members than can be kept together; they were imported by themselves.
  case tooManyMembers(type: String, count: Int)
  /// A correlation's member could not be brought over; the correlation was, without it.
  case missingMember(type: String)
  /// An object has several values of what it can have one of; one was brought over.
  case repeated(type: String, what: String)
  /// One of very many reasons.
  case other
}

extension ImportProblem: CustomStringConvertible {
  /// The reason as a phrase.
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
  /// The problem with the texts of the file cut to what is worth keeping.
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
  /// At most 256 scalars; characters have no bound, because one may have any number of accents.
  var clipped: String {
    // Nothing that short has more scalars than bytes.
    if utf8.count <= 256 { return self }
    let start = unicodeScalars.prefix(257)
    return start.count <= 256 ? self : String(start.dropLast()) + "…"
  }
}
