import SampleLog

/// A dictionary-encoded column of texts: each row refers to a distinct text by its number.
struct TextColumn {
  /// The index of a text in ``texts``; optional values are nil for a row without a text.
  typealias Number = UInt32

  /// The distinct texts in order of first use, in UTF-8.
  private(set) var texts: [[UInt8]] = []
  /// The numbers of the rows' texts.
  private(set) var numbers = ValueColumn<Number>()
  /// The size of the distinct texts, in bytes.
  private(set) var byteCount = 0
  // Keyed by bytes, because strings that compare equal may differ in their bytes.
  private var known: [ByteKey: Number] = [:]

  /// The number of rows.
  var count: Int { numbers.presence.count }

  /// Returns the number of a text, which is added if it is new, or nil for an empty text.
  mutating func number(of text: String) -> Number? {
    if text.isEmpty { return nil }
    let bytes = Array(text.utf8)
    let key = ByteKey(bytes)
    if let number = known[key] { return number }
    let number = Number(texts.count)
    known[key] = number
    texts.append(bytes)
    byteCount += bytes.count
    return number
  }

  @inline(__always)
  mutating func append(_ number: Number?) {
    if let number { numbers.append(number) } else { numbers.appendNull() }
  }

  mutating func append(_ text: String) { append(number(of: text)) }

  /// Removes all rows and texts, and so invalidates the numbers.
  mutating func removeAll() {
    texts.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    numbers.removeAll()
    byteCount = 0
  }
}
