extension ExportScanner {
  private enum TagState {
    case complete(end: Int, selfClosing: Bool)
    case incomplete
  }

  /// Scans the start tag at `head` and pushes its element; nil when the input ends inside it.
  mutating func scanStartTag() throws(ExportError) -> ExportElement? {
    var state = try scanAttributes()
    while case .incomplete = state {
      if try !fillForTag() { return nil }
      state = try scanAttributes()
    }
    guard case .complete(let end, let selfClosing) = state else { return nil }
    if open.count >= ExportLimit.depth.maximum { throw .limitExceeded(.depth, offset: offset) }
    let name = UnsafeBufferPointer(start: buffer + nameRange.lowerBound, count: nameRange.count)
    let element = ExportElement.named(name)
    open.append(OpenElement(element: element, hash: element == .unknown ? name.nameHash : 0))
    if selfClosing { pendingEnds = 1 }
    head = end
    return element
  }

  /// One pass over the tag at `head`, which leaves everything but the attributes untouched.
  private mutating func scanAttributes() throws(ExportError) -> TagState {
    let equals = UInt8(ascii: "=")
    let close = UInt8(ascii: ">")
    let slash = UInt8(ascii: "/")
    var at = head + 1
    var malformed = 0
    attributeCount = 0
    while at < tail, !buffer[at].isXMLSpace, buffer[at] != close, buffer[at] != slash { at += 1 }
    nameRange = (head + 1)..<at
    while true {
      while at < tail, buffer[at].isXMLSpace { at += 1 }
      guard at < tail else { break }
      if buffer[at] == close { return finish(at + 1, false, malformed) }
      if buffer[at] == slash {
        guard at + 1 < tail else { break }
        if buffer[at + 1] == close { return finish(at + 2, true, malformed) }
      }
      // A name runs to its equals sign: those of iOS 8 contain spaces.
      let name = at
      while at < tail, buffer[at] != equals, buffer[at] != close, buffer[at] != 0x3C { at += 1 }
      guard at < tail else { break }
      if buffer[at] != equals {
        malformed += 1
        // A new tag cuts this one off; it is scanned as the next one.
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
        throw .limitExceeded(.attributeBytes, offset: base + Int64(at))
      }
      guard let length else { break }
      if attributeCount == ExportLimit.attributeCount.maximum {
        throw .limitExceeded(.attributeCount, offset: base + Int64(name))
      }
      (attributes + attributeCount).initialize(
        to: Attribute(name: name, nameCount: nameEnd - name, value: at, valueCount: length))
      attributeCount += 1
      at += length + 1
    }
    return .incomplete
  }

  private mutating func finish(_ end: Int, _ selfClosing: Bool, _ malformed: Int) -> TagState {
    defects.malformedTags += malformed
    for index in 1..<max(1, attributeCount) where isDuplicate(index) {
      defects.duplicateAttributes += 1
    }
    return .complete(end: end, selfClosing: selfClosing)
  }

  /// Scans the end tag at `head`; nil when the input ends inside it, false when it closes nothing.
  ///
  /// Elements left open inside the one it closes are closed with it, innermost first.
  mutating func scanEndTag() throws(ExportError) -> Bool? {
    var end = bytes(0, tail - head).index(of: UInt8(ascii: ">"))
    while end == nil {
      if try !fillForTag() { return nil }
      end = bytes(0, tail - head).index(of: UInt8(ascii: ">"))
    }
    guard let end else { return nil }
    var last = end
    while last > 2, buffer[head + last - 1].isXMLSpace { last -= 1 }
    let name = bytes(2, last - 2)
    let element = ExportElement.named(name)
    let hash = element == .unknown ? name.nameHash : 0
    head += end + 1
    guard let match = open.lastIndex(where: { $0.element == element && $0.hash == hash }) else {
      defects.mismatchedTags += 1
      return false
    }
    pendingEnds = open.count - match
    defects.mismatchedTags += pendingEnds - 1
    return true
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// FNV-1a; tells the names of unknown elements apart.
  var nameHash: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
