/// What a reader came across: how much of what, and what was odd.
public struct ExportSummary: Equatable, Sendable {
  /// How a document ended.
  public enum End: Equatable, Sendable {
    /// With the root's end tag.
    case complete
    /// In the middle, at this byte. Every item before was delivered; the one that was cut, if
    /// any, was not, because half an item would get another identity than the whole.
    case truncated(offset: Int64, insideItem: Bool)
  }

  /// Records at top level.
  public internal(set) var records = 0
  /// Records inside correlations.
  public internal(set) var correlatedRecords = 0
  /// Items delivered, the records included.
  public internal(set) var items = 0
  /// How often each element without a meaning here was met.
  ///
  /// At most 256 names; what is beyond is counted under an empty name.
  public internal(set) var unknownElements: [String: Int] = [:]
  /// Elements that could not be delivered, by reason.
  public internal(set) var problems: [ExportProblem.Reason: Int] = [:]
  /// The first 100 of them, and the first for each reason.
  public internal(set) var firstProblems: [ExportProblem] = []
  /// Attributes that were there twice.
  public internal(set) var duplicateAttributes = 0
  /// Tags with attributes that could not be read.
  public internal(set) var malformedTags = 0
  /// End tags without a start, and elements without an end.
  public internal(set) var mismatchedTags = 0
  /// `<` signs that start nothing.
  public internal(set) var strayBrackets = 0
  /// Entities that are not predefined; they stay in the text as they are.
  public internal(set) var unknownEntities = 0
  /// Strings with invalid UTF-8, repaired with U+FFFD.
  public internal(set) var repairedStrings = 0
  /// Bytes other than white space behind the root.
  public internal(set) var trailingBytes: Int64 = 0
  /// Where the first of them is; nil when there are none.
  public internal(set) var trailingOffset: Int64?
  /// How the document ended; nil while it is being read.
  public internal(set) var end: End?
}

/// An element that could not be delivered, or not whole.
public struct ExportProblem: Equatable, Sendable {
  /// What was wrong with it.
  public enum Reason: String, Hashable, Sendable {
    /// A required attribute is missing.
    case missingAttribute
    /// A date cannot be read.
    case invalidDate
    /// A number cannot be read.
    case invalidNumber
    /// An identifier cannot be read.
    case invalidIdentifier
    /// No element around it can have the element, or the one that can has another one already.
    case misplaced
    /// The item has an attribute above ``ExportLimit/attributeBytes``.
    case attributeTooLong
    /// The item has an element with more attributes than ``ExportLimit/attributeCount``.
    case tooManyAttributes
    /// The item has a tag above ``ExportLimit/tagBytes``.
    case tagTooLong
    /// The item has elements nested deeper than ``ExportLimit/depth``.
    case tooDeep
    /// The item is longer than ``ExportLimit/itemBytes``.
    case itemTooLong
    /// An attribute of this library's own stands for no bytes or text.
    case invalidBytes

    /// What an item above a limit is said to have.
    package init(_ limit: ExportLimit) {
      self =
        switch limit {
        case .attributeBytes: .attributeTooLong
        case .attributeCount: .tooManyAttributes
        case .tagBytes: .tagTooLong
        case .depth: .tooDeep
        case .itemBytes: .itemTooLong
        }
    }
  }

  /// What was wrong.
  public var reason: Reason
  /// The element's name; that of the whole item when the item is above a limit.
  public var element: String
  /// Where its tag starts, in bytes from the start of the document.
  public var offset: Int64

  /// A problem from its parts.
  public init(reason: Reason, element: String, offset: Int64) {
    self.reason = reason
    self.element = element
    self.offset = offset
  }
}

/// How far a reader is.
public struct ExportProgress: Equatable, Sendable {
  /// Bytes read through.
  public var bytes: Int64
  /// Bytes there are in all, when that is known.
  public var totalBytes: Int64?
  /// Records delivered so far, at top level.
  public var records: Int
}

extension ExportSummary {
  mutating func note(_ reason: ExportProblem.Reason, in element: String, at offset: Int64) {
    problems[reason, default: 0] += 1
    guard firstProblems.count < 100 || problems[reason] == 1 else { return }
    firstProblems.append(ExportProblem(reason: reason, element: element, offset: offset))
  }
}
