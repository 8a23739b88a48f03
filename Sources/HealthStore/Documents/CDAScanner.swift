/// A minimal XML scanner for clinical documents: elements and their text.
///
/// It accepts UTF-8 without a document type declaration, so entities can neither be expanded
/// recursively nor fetched. Time and memory are linear in the size of the document.
struct CDAScanner {
  /// The reason why a document is not well-formed, with a byte offset.
  struct Failure: Error, Hashable {
    let reason: String
    let offset: Int
  }

  enum Event: Hashable {
    /// A start tag; holds its name without a prefix.
    case start(String)
    case end
    case text(String)
  }

  private static let deepest = 256

  private let bytes: [UInt8]
  private var position = 0
  private var open: [String] = []
  private var hasRoot = false
  /// Whether the next event is the end of an empty element, which has no end tag.
  private var closesNext = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the next event, or nil at the end of a well-formed document.
  mutating func next() throws(Failure) -> Event? {
    if closesNext {
      closesNext = false
      open.removeLast()
      return .end
    }
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        if let text = try text() { return .text(text) }
      } else if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<?") {
        try skip(past: "?>")
      } else if starts(with: "<![CDATA[") {
        let start = position + 9
        try skip(past: "]]>")
        guard !open.isEmpty else { throw fail("text outside of the root") }
        return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
      } else if starts(with: "<!") {
        throw fail("a document type, which clinical documents do not have")
      } else if starts(with: "</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    if !open.isEmpty { throw fail("it ends within an element") }
    if !hasRoot { throw fail("it has no element") }
    return nil
  }

  private mutating func text() throws(Failure) -> String? {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    let raw = bytes[start..<position]
    if open.isEmpty {
      guard raw.allSatisfy(Self.isSpace) else { throw fail("text outside of the root") }
      return nil
    }
    return try decoded(raw)
  }

  private mutating func startTag() throws(Failure) -> Event {
    position += 1
    let name = try name()
    guard !hasRoot || !open.isEmpty else { throw fail("a second root") }
    guard open.count < Self.deepest else { throw fail("elements nested too deep") }
    while true {
      skipSpace()
      guard position < bytes.count else { throw fail("it ends within a tag") }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        break
      }
      if starts(with: "/>") {
        position += 2
        closesNext = true
        break
      }
      try attribute()
    }
    hasRoot = true
    open.append(name)
    return .start(Self.local(name))
  }

  private mutating func attribute() throws(Failure) {
    _ = try name()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      throw fail("an attribute without a value")
    }
    position += 1
    skipSpace()
    guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position])
    else { throw fail("an attribute without quotes") }
    let quote = bytes[position]
    position += 1
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "<") { throw fail("a tag within an attribute") }
      position += 1
    }
    guard position < bytes.count else { throw fail("an attribute without an end") }
    position += 1
  }

  private mutating func endTag() throws(Failure) -> Event {
    position += 2
    let name = try name()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
      throw fail("an end tag without an end")
    }
    guard open.last == name else { throw fail("the end of an element that is not open") }
    position += 1
    open.removeLast()
    return .end
  }

  private mutating func name() throws(Failure) -> String {
    let start = position
    while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
    guard position > start else { throw fail("a name that is missing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func decoded(_ raw: ArraySlice<UInt8>) throws(Failure) -> String {
    guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
    var text = ""
    var rest = raw
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<start], as: UTF8.self)
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")),
        let character = Self.character(
          String(decoding: rest[start + 1..<end], as: UTF8.self))
      else { throw Failure(reason: "an entity that XML does not have", offset: start) }
      text.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ entity: String) -> Unicode.Scalar? {
    switch entity {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
      if entity.hasPrefix("#x") {
        UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if entity.hasPrefix("#") {
        UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
      } else {
        nil
      }
    }
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
  }

  private mutating func skip(past text: StaticString) throws(Failure) {
    while position < bytes.count {
      if starts(with: text) {
        position += text.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw fail("it ends within markup")
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private func fail(_ reason: String) -> Failure { Failure(reason: reason, offset: position) }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}
