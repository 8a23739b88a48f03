/// A pull scanner for the markup of an Apple Health export.
///
/// The scanner is deliberately not a conforming XML parser: exports of iOS 16 contain a DTD that is
/// not well-formed, duplicate attributes and control characters, and those of iOS 8 contain
/// attribute names with spaces. Text content, comments, processing instructions and CDATA are
/// skipped. Only the five predefined entities and character references are expanded, and no
/// external resource is opened.
///
/// The buffer bounds memory: it grows to hold one tag (``ExportLimit/tagBytes``) and no further.
/// The attributes of a tag that exceeds a limit are skipped. Attributes are valid until the next
/// call of ``next()``.
package struct ExportScanner: ~Copyable {
  /// A piece of markup, returned by ``next()``.
  package enum Event: Equatable, Sendable {
    case start(ExportElement)
    case end(ExportElement)
    /// The start of an element that exceeds the nesting limit; no end event follows.
    case tooDeep
    /// The root element was closed.
    case finished
    /// The input ended inside the document, at this byte offset.
    case truncated(Int64)
  }

  /// The positions of an attribute's name and value in the buffer.
  struct Attribute {
    var name: Int
    var nameCount: Int
    var value: Int
    var valueCount: Int
  }

  struct OpenElement {
    var element: ExportElement
    /// The hash of an unknown element's name; zero for a known element.
    var hash: UInt64
  }

  let input: any ExportInput
  var buffer: UnsafeMutablePointer<UInt8>
  var capacity: Int
  /// The positions in the buffer of the next byte to scan and of the end of the bytes read.
  var head = 0
  var tail = 0
  /// The document offset of the buffer's first byte.
  var base: Int64 = 0
  var inputEnded = false

  let attributes: UnsafeMutablePointer<Attribute>
  var attributeCount = 0
  var nameRange = 0..<0
  var open: [OpenElement] = []
  /// The number of open elements to close before scanning continues.
  var pendingEnds = 0
  /// The number of open elements beyond the nesting limit, which are not in `open`.
  var overflow = 0
  var started = false
  var strings = StringCache(slots: 512)
  var devices = StringCache(slots: 16)

  /// The document offset of the last start event's tag.
  package private(set) var tagOffset: Int64 = 0
  /// The limit that the last start event's tag exceeds, or nil; such a tag has no attributes.
  package internal(set) var exceeded: ExportLimit?
  /// The defects tolerated so far.
  package internal(set) var defects = ScannerDefects()

  /// Creates a scanner at the start of `input`.
  ///
  /// - Parameters:
  ///   - input: The bytes of the document.
  ///   - capacity: The initial size of the buffer in bytes. It doubles if a tag does not fit.
  package init(_ input: any ExportInput, capacity: Int = 256 << 10) {
    self.input = input
    self.capacity = max(capacity, 4)
    buffer = .allocate(capacity: self.capacity)
    attributes = .allocate(capacity: ExportLimit.attributeCount.maximum)
    open.reserveCapacity(ExportLimit.depth.maximum)
  }

  deinit {
    buffer.deallocate()
    attributes.deallocate()
  }

  /// The document offset of the next byte to scan.
  package var offset: Int64 { base + Int64(head) }

  /// The number of open elements, including the one just started.
  package var depth: Int { open.count }

  /// The parent of the element just started.
  package var parent: ExportElement? {
    open.count >= 2 ? open[open.count - 2].element : nil
  }

  /// The maximum number of open elements around an item: half the nesting limit, which leaves room
  /// for its parts.
  ///
  /// Real items have at most two enclosing elements. Any more are tags that were never closed.
  private static var mostAroundItem: Int { ExportLimit.depth.maximum / 2 }

  /// Returns the next piece of markup.
  ///
  /// - Returns: The event. Calls after `finished` or `truncated` return the same event again.
  /// - Throws: ``ExportError`` if reading fails, if the input is not an export, or if its root
  ///   exceeds a limit.
  package mutating func next() throws(ExportError) -> Event {
    if pendingEnds > 0 {
      pendingEnds -= 1
      return .end(open.removeLast().element)
    }
    if !started {
      try skipProlog()
      started = true
    } else if open.isEmpty {
      return .finished
    }
    while true {
      guard try findTag() else { return .truncated(offset) }
      let second = buffer[head + 1]
      if second == UInt8(ascii: "/") {
        guard let found = try scanEndTag() else { return .truncated(offset) }
        guard found else { continue }
        pendingEnds -= 1
        return .end(open.removeLast().element)
      }
      if second.startsName {
        if overflow > 0 || open.count > Self.mostAroundItem, try isAtItem() {
          // Close every open element but the root; this tag is then scanned again.
          defects.mismatchedTags += open.count - 1
          pendingEnds = open.count - 2
          overflow = 0
          return .end(open.removeLast().element)
        }
        let start = offset
        guard let element = try scanStartTag() else { return .truncated(start) }
        if overflow > 0 || exceeded == .depth { return .tooDeep }
        tagOffset = start
        return .start(element)
      }
      guard try skipDeclaration(second) else { return .truncated(offset) }
    }
  }
}

/// Counts of the defects that a scanner tolerated; none of them is an error.
package struct ScannerDefects: Equatable, Sendable {
  /// Attributes that repeat the name of an earlier one.
  package var duplicateAttributes = 0
  /// Attributes without a quoted value, and tags interrupted by a new tag.
  package var malformedTags = 0
  /// End tags that matched no open element, and elements that were closed by an outer end tag.
  package var mismatchedTags = 0
  /// `<` signs that start no markup.
  package var strayBrackets = 0
  /// Entities other than the predefined ones, left as text.
  package var unknownEntities = 0
  /// Strings that were not valid UTF-8, repaired with U+FFFD.
  package var repairedStrings = 0
}
