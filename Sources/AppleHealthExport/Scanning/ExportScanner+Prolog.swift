// Scans the prolog, and markup other than tags.
extension ExportScanner {
  /// The maximum size of the prolog in bytes: ten times the largest DTD observed.
  ///
  /// The limit ends the search for the root early in a large file that is not an export.
  static var prologMaximum: Int64 { 1 << 20 }

  /// Moves `head` to the `<` of `<HealthData`.
  ///
  /// The DOCTYPE is not parsed, because the brackets of the iOS 16 DTD do not balance. No
  /// declaration can contain `<HealthData` followed by a space or a bracket, so a text search finds
  /// the root. Only comments are skipped as a whole.
  mutating func skipProlog() throws(ExportError) {
    var firstElement: String?
    if try ensure(4), bytes(0, 4).equals("PK\u{3}\u{4}") {
      throw .notAnExport(found: "the bytes of a zip archive")
    }
    if try ensure(2), buffer[head] == 0x1F, buffer[head + 1] == 0x8B {
      throw .notAnExport(found: "the bytes of a gzip file")
    }
    while try findBracket(before: Self.prologMaximum), try ensure(12) {
      if bytes(0, 4).equals("<!--") {
        head += 4
        guard try skip(past: "-->") else { break }
        continue
      }
      if bytes(0, 11).equals("<HealthData") {
        let next = buffer[head + 11]
        if next.isXMLSpace || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return }
      }
      if firstElement == nil, buffer[head + 1].startsName {
        _ = try ensure(64)
        let name = bytes(0, min(tail - head, 64)).dropFirst()
          .prefix { !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        firstElement = "<" + String(decoding: name, as: UTF8.self) + ">"
      }
      head += 1
    }
    throw .notAnExport(found: firstElement)
  }

  /// Moves `head` to the next `<`; returns false if the input ends or `end` is reached first.
  mutating func findBracket(before end: Int64 = .max) throws(ExportError) -> Bool {
    while offset < end {
      let rest = UnsafeBufferPointer(start: buffer + head, count: tail - head)
      if let found = rest.index(of: UInt8(ascii: "<")) {
        head += found
        return true
      }
      head = tail
      if try !fill() { return false }
    }
    return false
  }

  /// Moves `head` to the next `<` and buffers the byte after it; returns false if the input ends
  /// first.
  mutating func findTag() throws(ExportError) -> Bool {
    guard try findBracket() else { return false }
    return try ensure(2)
  }

  /// Skips markup that starts with `<` and is not a tag; returns false if the input ends inside it.
  mutating func skipDeclaration(_ second: UInt8) throws(ExportError) -> Bool {
    switch second {
    case UInt8(ascii: "?"):
      head += 2
      return try skip(past: "?>")
    case UInt8(ascii: "!"):
      if try ensure(4), bytes(0, 4).equals("<!--") {
        head += 4
        return try skip(past: "-->")
      }
      if try ensure(9), bytes(0, 9).equals("<![CDATA[") {
        head += 9
        return try skip(past: "]]>")
      }
      head += 2
      return try skip(past: ">")
    default:
      defects.strayBrackets += 1
      head += 1
      return true
    }
  }

  /// Returns `count` bytes from `head + start`, which the caller must have buffered.
  func bytes(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: buffer + head + start, count: count)
  }
}
