import Foundation

/// A reader of the tags of a small XML document in memory, and of the text after each tag.
///
/// Accepts any bytes. Comments, declarations and processing instructions are skipped. Entities are
/// not decoded, because numbers and dates contain none.
struct MarkupReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var head = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A start or end tag.
  struct Tag {
    /// The name without a namespace prefix.
    let name: UnsafeBufferPointer<UInt8>
    let isEnd: Bool
    /// Whether the tag is self-closing.
    let isEmpty: Bool
    /// The bytes between the name and the end of the tag.
    fileprivate let attributes: UnsafeBufferPointer<UInt8>
    /// The text up to the next tag, without surrounding white space.
    let text: UnsafeBufferPointer<UInt8>
  }

  /// Returns the next tag, or nil at the end of the document or if it ends inside a tag.
  mutating func next() -> Tag? {
    while let start = bytes.part(head..<bytes.count).index(of: 0x3C) {
      head += start + 1
      let rest = bytes.part(head..<bytes.count)
      if rest.starts(with: "!--") {
        guard skip(past: "-->") else { return nil }
      } else if rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "?") {
        guard skip(past: ">") else { return nil }
      } else {
        return tag()
      }
    }
    return nil
  }

  private mutating func skip(past end: StaticString) -> Bool {
    while head < bytes.count {
      if bytes.part(head..<bytes.count).starts(with: end) {
        head += end.utf8CodeUnitCount
        return true
      }
      head += 1
    }
    return false
  }

  /// Parses the tag whose name, or the slash before it, is at `head`.
  private mutating func tag() -> Tag? {
    let isEnd = head < bytes.count && bytes[head] == UInt8(ascii: "/")
    if isEnd { head += 1 }
    let start = head
    var quote: UInt8 = 0
    while head < bytes.count, quote != 0 || bytes[head] != UInt8(ascii: ">") {
      let byte = bytes[head]
      if byte == quote {
        quote = 0
      } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      head += 1
    }
    guard head < bytes.count else { return nil }
    var content = bytes.part(start..<head)
    head += 1
    let isEmpty = content.last == UInt8(ascii: "/")
    if isEmpty { content = content.part(0..<content.count - 1) }
    let end = content.firstIndex(where: \.isXMLSpace) ?? content.count
    let prefix = content.part(0..<end).index(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    let rest = bytes.part(head..<bytes.count)
    let text = rest.part(0..<(rest.index(of: 0x3C) ?? rest.count))
    return Tag(
      name: content.part(prefix..<end), isEnd: isEnd, isEmpty: isEmpty,
      attributes: content.part(end..<content.count), text: text.trimmed)
  }
}

extension MarkupReader.Tag {
  /// Returns the value of an attribute as a finite number, or nil.
  func number(_ name: StaticString) -> Double? {
    var rest = attributes
    while let equals = rest.index(of: UInt8(ascii: "=")) {
      let found = rest.part(0..<equals).trimmed
      let value = rest.part(equals + 1..<rest.count).trimmed
      guard let quote = value.first, let end = value.part(1..<value.count).index(of: quote) else {
        return nil
      }
      if found.equals(name) { return value.part(1..<end + 1).number }
      rest = value.part(end + 2..<value.count)
    }
    return nil
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The bytes without white space at either end.
  fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
    guard let first = firstIndex(where: { !$0.isXMLSpace }),
      let last = lastIndex(where: { !$0.isXMLSpace })
    else { return part(0..<0) }
    return part(first..<last + 1)
  }

  /// The bytes as a finite number, or nil.
  var number: Double? {
    // No number in Apple's files is longer.
    guard count <= 64 else { return nil }
    return NumberText.finite(String(decoding: self, as: UTF8.self))
  }
}
