/// Counts of the items that a reader delivered and of the defects that it tolerated.
public struct ExportSummary: Equatable, Sendable {
  /// The end of a document.
  public enum End: Equatable, Sendable {
    /// The document ended with the root's end tag.
    case complete
    /// The document was cut off at this byte offset.
    ///
    /// Every item before the cut was delivered. An item that the cut interrupts was not, because a
    /// partial item would get a different identity.
    case truncated(offset: Int64, insideItem: Bool)
  }

  /// The number of records delivered as items.
  public internal(set) var records = 0
  /// The number of records inside correlations.
  public internal(set) var correlatedRecords = 0
  /// The number of items delivered, including records.
  public internal(set) var items = 0
  /// The number of occurrences of each unknown element, by name.
  ///
  /// Contains at most 256 names; further ones are counted under an empty name.
  public internal(set) var unknownElements: [String: Int] = [:]
  /// The number of elements that could not be delivered, or only in part, by reason.
  public internal(set) var problems: [ExportProblem.Reason: Int] = [:]
  /// The first 100 problems, and the first problem of each reason.
  public internal(set) var firstProblems: [ExportProblem] = []
  /// The number of attributes that repeat the name of an earlier one.
  public internal(set) var duplicateAttributes = 0
  /// The number of malformed attributes, and of tags interrupted by a new tag.
  public internal(set) var malformedTags = 0
  /// The number of end tags without a start tag, and of elements without an end tag.
  public internal(set) var mismatchedTags = 0
  /// The number of `<` signs that start no markup.
  public internal(set) var strayBrackets = 0
  /// The number of entities that are not predefined; they remain in the text unchanged.
  public internal(set) var unknownEntities = 0
  /// The number of strings with invalid UTF-8, repaired with U+FFFD.
  public internal(set) var repairedStrings = 0
  /// The number of bytes other than white space after the root.
  public internal(set) var trailingBytes: Int64 = 0
  /// The offset of the first such byte, or nil if there is none.
  public internal(set) var trailingOffset: Int64?
  /// The end of the document, or nil while it is being read.
  public internal(set) var end: End?
}

/// An element that could not be delivered, or only in part.
public struct ExportProblem: Equatable, Sendable {
  /// The reason of a problem.
  public enum Reason: String, Hashable, Sendable {
    /// A required attribute is missing.
    case missingAttribute
    /// A date cannot be parsed.
    case invalidDate
    /// A number cannot be parsed.
    case invalidNumber
    /// An identifier cannot be parsed.
    case invalidIdentifier
    /// No enclosing element can contain the element, or the one that can already contains another.
    case misplaced
    /// The item has an attribute value that exceeds ``ExportLimit/attributeBytes``.
    case attributeTooLong
    /// The item has an element with more attributes than ``ExportLimit/attributeCount``.
    case tooManyAttributes
    /// The item has a tag that exceeds ``ExportLimit/tagBytes``.
    case tagTooLong
    /// The item has elements nested deeper than ``ExportLimit/depth``.
    case tooDeep
    /// The item is longer than ``ExportLimit/itemBytes``.
    case itemTooLong
    /// An attribute of this library cannot be decoded.
    case invalidBytes

    /// Creates the reason that is reported for an item that exceeds a limit.
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

  /// The reason.
  public var reason: Reason
  /// The element's name, or the name of the item if the item exceeds a limit.
  public var element: String
  /// The offset of the element's tag, in bytes from the start of the document.
  public var offset: Int64

  /// Creates a problem.
  public init(reason: Reason, element: String, offset: Int64) {
    self.reason = reason
    self.element = element
    self.offset = offset
  }
}

/// The progress of a reader.
public struct ExportProgress: Equatable, Sendable {
  /// The number of bytes read.
  public var bytes: Int64
  /// The total number of bytes, or nil if it is unknown.
  public var totalBytes: Int64?
  /// The number of records delivered as items so far.
  public var records: Int
}

extension ExportSummary {
  mutating func note(_ reason: ExportProblem.Reason, in element: String, at offset: Int64) {
    problems[reason, default: 0] += 1
    guard firstProblems.count < 100 || problems[reason] == 1 else { return }
    firstProblems.append(ExportProblem(reason: reason, element: element, offset: offset))
  }
}
