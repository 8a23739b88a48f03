/// The text of a Swift file in which spaces replace comments and the contents of string literals.
///
/// The expression of an interpolation counts as code.
struct SwiftCode {
  private let bytes: [UInt8]
  private var place = 0
  private var code: [UInt8] = []

  private init(_ text: String) {
    bytes = Array(text.utf8)
    code.reserveCapacity(bytes.count)
  }

  /// Returns the lines, as many as the text has.
  static func lines(of text: String) -> [Substring] {
    var reading = SwiftCode(text)
    reading.readCode(isInterpolation: false)
    return String(decoding: reading.code, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the words that begin with a capital letter, except after a dot.
  static func names(in line: Substring) -> [Substring] {
    let bytes = line.utf8
    var names: [Substring] = []
    var place = bytes.startIndex
    var before = UInt8(ascii: " ")
    while place < bytes.endIndex {
      let end = bytes[place...].firstIndex { !isPartOfName($0) } ?? bytes.endIndex
      if end == place {
        before = bytes[place]
        place = bytes.index(after: place)
      } else {
        if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[place]),
          before != UInt8(ascii: ".")
        {
          names.append(line[place..<end])
        }
        before = UInt8(ascii: "a")
        place = end
      }
    }
    return names
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private func isAt(_ text: StaticString, _ offset: Int = 0) -> Bool {
    let start = place + offset
    let count = text.utf8CodeUnitCount
    // Most bytes differ from the first one, and the tests are not optimised.
    guard start + count <= bytes.count, bytes[start] == text.utf8Start.pointee else { return false }
    return count == 1 || text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
  }

  /// Copies one byte of code and advances.
  private mutating func keep() {
    code.append(bytes[place])
    place += 1
  }

  /// Replaces bytes that are not code with spaces, and advances.
  private mutating func blank(_ count: Int = 1) {
    for byte in bytes[place..<min(place + count, bytes.count)] {
      code.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
    }
    place = min(place + count, bytes.count)
  }

  /// Reads to the end, or to the parenthesis that closes an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while place < bytes.count {
      if Self.isPartOfName(bytes[place]) {
        keep()
      } else if isAt("//") {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        blank(end - place)
      } else if isAt("/*") {
        readComment()
      } else if isAt("\"") || isAt("#") {
        let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
        if isAt("\"", hashes) { readString(hashes) } else { keep() }
      } else {
        if isAt("(") { depth += 1 }
        if isAt(")") { depth -= 1 }
        keep()
        if isInterpolation, depth == 0 { return }
      }
    }
  }

  private mutating func readComment() {
    var depth = 0
    repeat {
      if isAt("/*") { depth += 1 } else if isAt("*/") { depth -= 1 }
      blank(isAt("/*") || isAt("*/") ? 2 : 1)
    } while depth > 0 && place < bytes.count
  }

  /// Reads a literal that begins with the given number of number signs.
  private mutating func readString(_ hashes: Int) {
    blank(hashes)
    // `#"""#` is a literal that contains one quotation mark.
    let isLong = isAt("\"\"\"\n")
    let quotes = isLong ? 3 : 1
    blank(quotes)
    while place < bytes.count {
      if isLong ? isAt("\"\"\"") : isAt("\""), isFollowed(by: hashes, at: quotes) {
        return blank(quotes + hashes)
      }
      if isAt("\n"), !isLong { return }
      if isAt("\\"), isFollowed(by: hashes, at: 1) {
        blank(1 + hashes)
        if isAt("(") { readCode(isInterpolation: true) } else { blank() }
      } else {
        blank()
      }
    }
  }

  private func isFollowed(by hashes: Int, at offset: Int) -> Bool {
    bytes[min(place + offset, bytes.count)...].prefix(hashes).count { $0 == UInt8(ascii: "#") }
      == hashes
  }
}
