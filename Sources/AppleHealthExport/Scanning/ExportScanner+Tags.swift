// Scans start and end tags.
extension ExportScanner {
  private enum TagState {
    case complete(end: Int, selfClosing: Bool)
    /// The buffer ends inside the tag.
    ///
    /// `quote` is the quote of the unfinished attribute value, or 0 outside of a value.
    case incomplete(quote: UInt8)
    /// The tag exceeds a limit at a buffer offset; `quote` is as for `incomplete`.
    case exceeded(ExportLimit, at: Int, quote: UInt8)
  }

  /// Scans the start tag at `head` and pushes its element; returns nil if the input ends inside it.
  mutating func scanStartTag() throws(ExportError) -> ExportElement? {
    var state = scanAttributes()
    while case .incomplete(let quote) = state {
      if tail - head > ExportLimit.tagBytes.maximum {
        state = .exceeded(.tagBytes, at: tail, quote: quote)
        break
      }
      if try !fillForTag() { return nil }
      state = scanAttributes()
    }
    let name = UnsafeBufferPointer(start: buffer + nameRange.lowerBound, count: nameRange.count)
    let element = ExportElement.named(name)
    let hash = element == .unknown ? name.nameHash : 0
    exceeded = nil
    var isClosed = false
    switch state {
    case .incomplete: return nil
    case .complete(let end, let selfClosing):
      head = end
      isClosed = selfClosing
    case .exceeded(let limit, let offset, let quote):
      // A document cannot be read without its root.
      if open.isEmpty { throw .limitExceeded(limit, offset: base + Int64(offset)) }
      head = offset
      guard let selfClosing = try skipTag(in: quote) else { return nil }
      isClosed = selfClosing
      attributeCount = 0
      nameRange = 0..<0
      exceeded = limit
    }
    if open.count >= ExportLimit.depth.maximum {
      exceeded = .depth
      if !isClosed { overflow += 1 }
      return element
    }
    open.append(OpenElement(element: element, hash: hash))
    if isClosed { pendingEnds = 1 }
    return element
  }

  /// Returns whether the tag at `head` begins an item.
  mutating func isAtItem() throws(ExportError) -> Bool {
    // The longest name of an item, with one byte on either side.
    _ = try ensure(20)
    let name = bytes(1, min(tail - head, 20) - 1)
    let end = name.firstIndex {
      $0.isXMLSpace || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") || $0 == 0x3C
    }
    guard let end else { return false }
    return ExportElement.named(name.part(0..<end)).isItem
  }

  /// Scans the tag at `head` once, and sets the name and the attributes without moving `head`.
  private mutating func scanAttributes() -> TagState {
    let equals = UInt8(ascii: "=")
    let close = UInt8(ascii: ">")
    let slash = UInt8(ascii: "/")
    var at = head + 1
    var malformed = 0
    attributeCount = 0
    while at < tail, !buffer[at].isXMLSpace, buffer[at] != close, buffer[at] != slash,
      buffer[at] != 0x3C
    {
      at += 1
    }
    nameRange = (head + 1)..<at
    while true {
      while at < tail, buffer[at].isXMLSpace { at += 1 }
      guard at < tail else { break }
      if buffer[at] == close { return finish(at + 1, false, malformed) }
      if buffer[at] == slash {
        guard at + 1 < tail else { break }
        if buffer[at + 1] == close { return finish(at + 2, true, malformed) }
      }
      // A name extends to its equals sign, because names of iOS 8 contain spaces.
      let name = at
      while at < tail, buffer[at] != equals, buffer[at] != close, buffer[at] != 0x3C { at += 1 }
      guard at < tail else { break }
      if buffer[at] != equals {
        malformed += 1
        // A new tag interrupts this one; it is scanned next.
        if buffer[at] == 0x3C { return finish(at, false, malformed) }
        if buffer[at - 1] == slash { return finish(at + 1, true, malformed) }
        continue
      }
      var nameEnd = at
      while nameEnd > name, buffer[nameEnd - 1].isXMLSpace { nameEnd -= 1 }
      at += 1
      while at < tail, buffer[at].isXMLSpace { at += 1 }
      guard at < tail else { break }
      let quote = buffer[at]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        malformed += 1
        while at < tail, !buffer[at].isXMLSpace, buffer[at] != close, buffer[at] != 0x3C { at += 1 }
        continue
      }
      at += 1
      let rest = UnsafeBufferPointer(start: buffer + at, count: tail - at)
      let length = rest.index(of: quote)
      if (length ?? rest.count) > ExportLimit.attributeBytes.maximum {
        // Skipping starts after the scanned bytes, so that each byte is scanned a few times at
        // most.
        let seen = at + ExportLimit.attributeBytes.maximum
        return .exceeded(.attributeBytes, at: seen, quote: quote)
      }
      guard let length else { return .incomplete(quote: quote) }
      if attributeCount == ExportLimit.attributeCount.maximum {
        return .exceeded(.attributeCount, at: name, quote: 0)
      }
      (attributes + attributeCount).initialize(
        to: Attribute(name: name, nameCount: nameEnd - name, value: at, valueCount: length))
      attributeCount += 1
      at += length + 1
    }
    return .incomplete(quote: 0)
  }

  private mutating func finish(_ end: Int, _ selfClosing: Bool, _ malformed: Int) -> TagState {
    defects.malformedTags += malformed
    for index in 1..<max(1, attributeCount) where isDuplicate(index) {
      defects.duplicateAttributes += 1
    }
    return .complete(end: end, selfClosing: selfClosing)
  }

  /// Scans the end tag at `head`; returns nil if the input ends inside it, false if it closes
  /// nothing.
  ///
  /// Elements left open inside the one it closes are closed with it, innermost first.
  mutating func scanEndTag() throws(ExportError) -> Bool? {
    var end = endTagEnd
    while end == nil {
      if tail - head > ExportLimit.tagBytes.maximum {
        // No known element has a name of this length.
        defects.mismatchedTags += 1
        head = tail
        return try skipTag(in: 0) == nil ? nil : false
      }
      if try !fillForTag() { return nil }
      end = endTagEnd
    }
    guard let end else { return nil }
    if buffer[head + end] == 0x3C {
      // A new tag interrupts this one.
      defects.mismatchedTags += 1
      head += end
      return false
    }
    var last = end
    while last > 2, buffer[head + last - 1].isXMLSpace { last -= 1 }
    let name = bytes(2, last - 2)
    let element = ExportElement.named(name)
    let hash = element == .unknown ? name.nameHash : 0
    head += end + 1
    if overflow > 0, element != .healthData, !element.isItem {
      overflow -= 1
      return false
    }
    guard let match = open.lastIndex(where: { $0.element == element && $0.hash == hash }) else {
      defects.mismatchedTags += 1
      return false
    }
    overflow = 0
    pendingEnds = open.count - match
    defects.mismatchedTags += pendingEnds - 1
    return true
  }

  /// The distance from `head` to the end of the end tag or to the tag that interrupts it; nil if
  /// neither is buffered.
  private var endTagEnd: Int? {
    let tag = bytes(0, tail - head)
    guard let end = tag.index(of: UInt8(ascii: ">")) else {
      return tag.part(1..<tag.count).index(of: 0x3C).map { $0 + 1 }
    }
    return tag.part(1..<end).index(of: 0x3C).map { $0 + 1 } ?? end
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The FNV-1a hash of the bytes, which distinguishes the names of unknown elements.
  var nameHash: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
