/// A pull scanner for the markup of an Apple Health export.
///
/// It is not a conforming XML parser, on purpose: exports of iOS 16 have a DTD that is not well
/// formed, elements with the same attribute twice and control characters, and those of iOS 8 have
/// attribute names with spaces. Text content, comments, processing instructions and CDATA are
/// skipped. Entities are never expanded beyond the five predefined ones and character references,
/// and nothing outside the document is ever opened.
///
/// Memory is the buffer, which grows to hold one tag (``ExportLimit/tagBytes``) and no further. Of
/// a tag above a limit the attributes are skipped.
/// Attributes live in the buffer until the next call of ``next()``.
package struct ExportScanner: ~Copyable {
  /// What ``next()`` found.
  package enum Event: Equatable, Sendable {
    case start(ExportElement)
    case end(ExportElement)
    /// The start of an element too deep inside others; it gets no end.
    case tooDeep
    /// The root was closed, or the document ended where that was due.
    case finished
    /// The input ended in the middle, at this offset.
    case truncated(Int64)
  }

  /// Where an attribute's name and value lie in the buffer.
  struct Attribute {
    var name: Int
    var nameCount: Int
    var value: Int
    var valueCount: Int
  }

  struct OpenElement {
    var element: ExportElement
    /// Tells unknown elements apart; zero for known ones.
    var hash: UInt64
  }

  let input: any ExportInput
  var buffer: UnsafeMutablePointer<UInt8>
  var capacity: Int
  /// The next byte to look at, and the end of the bytes read so far.
  var head = 0
  var tail = 0
  /// The offset in the document of the buffer's first byte.
  var base: Int64 = 0
  var inputEnded = false

  let attributes: UnsafeMutablePointer<Attribute>
  var attributeCount = 0
  var nameRange = 0..<0
  var open: [OpenElement] = []
  /// How many open elements have to be closed before anything else is read.
  var pendingEnds = 0
  /// How many elements are open inside the deepest one that is kept track of.
  var overflow = 0
  var started = false
  var strings = StringCache(slots: 512)
  var devices = StringCache(slots: 16)

  /// Where the tag of the last start event begins.
  package private(set) var tagOffset: Int64 = 0
  /// The limit above which the tag of the last start event was; it has no attributes then.
  package internal(set) var exceeded: ExportLimit?
  /// What had to be read through.
  package internal(set) var defects = ScannerDefects()

  /// A scanner at the start of `input`.
  ///
  /// - Parameters:
  ///   - input: The bytes of the document.
  ///   - capacity: What the buffer holds at first; it doubles when a tag does not fit.
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

  /// The offset in the document of the next byte to look at.
  package var offset: Int64 { base + Int64(head) }

  /// How many elements are open, the one just started included.
  package var depth: Int { open.count }

  /// The element around the one just started.
  package var parent: ExportElement? {
    open.count >= 2 ? open[open.count - 2].element : nil
  }

  /// The open elements around an item at most: half of the depth, so that its parts have room.
  ///
  /// Real items are inside two others. More are tags that were never closed.
  private static var mostAroundItem: Int { ExportLimit.depth.maximum / 2 }

  /// The next piece of markup.
  ///
  /// - Returns: The event; after `finished` and `truncated` always the same again.
  /// - Throws: ``ExportError`` when the input fails, is no export, or has a root above a limit.
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
          // Everything that was left open ends here; this tag is read again afterwards.
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

/// What a scanner had to read through; all of it is counted, none of it is an error.
package struct ScannerDefects: Equatable, Sendable {
  /// Attributes that were there twice.
  package var duplicateAttributes = 0
  /// Attributes without a quoted value, and tags that a new tag cut off.
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
