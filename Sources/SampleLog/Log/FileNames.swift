/// The names of a store's files, which say what each file covers.
package enum FileNames {
  package static let lock = "LOCK"
  package static let temporarySuffix = ".tmp"
  /// Marks a backup, and says what it holds.
  package static let backup = "BACKUP"
  /// Marks a directory that is being made, which is no store until it is gone.
  package static let unfinished = "UNFINISHED"
  /// Marks a replica, and names its primary.
  package static let replica = "REPLICA"
  /// Marks a directory whose commits are published, and says through where.
  package static let published = "PUBLISHED"
  private static let logSuffix = ".log"
  private static let sealedSuffix = ".sealed"
  private static let segmentSuffix = ".segment"

  /// `0000000000000001.log`: the log whose first sequence number is 1.
  package static func log(first: UInt64) -> String { hexadecimal(first) + logSuffix }

  /// `0000000000000001-00000000000186a0-0002.segment`: first, last, generation.
  package static func segment(first: UInt64, last: UInt64, generation: UInt32) -> String {
    hexadecimal(first) + "-" + hexadecimal(last) + "-" + hexadecimal(UInt64(generation), width: 4)
      + segmentSuffix
  }

  /// `0000000000000001.sealed`: a log that segments stand for, kept until it is published.
  package static func sealedLog(first: UInt64) -> String { hexadecimal(first) + sealedSuffix }

  package static func sealedLogFirst(_ name: String) -> UInt64? { first(name, sealedSuffix) }

  package static func logFirst(_ name: String) -> UInt64? { first(name, logSuffix) }

  private static func first(_ name: String, _ suffix: String) -> UInt64? {
    var reader = NameReader(name)
    guard let first = reader.number(digits: 16), reader.isRest(suffix), isPossible(first)
    else { return nil }
    return first
  }

  package static func segmentRange(
    _ name: String
  ) -> (first: UInt64, last: UInt64, generation: UInt32)? {
    var reader = NameReader(name)
    guard let first = reader.number(digits: 16), reader.skipDash(),
      let last = reader.number(digits: 16), reader.skipDash(),
      let generation = reader.generation(), reader.isRest(segmentSuffix),
      isPossible(first), isPossible(last), first <= last
    else { return nil }
    return (first, last, generation)
  }

  /// Whether a name is that of a log or a segment.
  package static func isData(_ name: String) -> Bool {
    logFirst(name) != nil || segmentRange(name) != nil
  }

  /// Whether a name is one under which a log or a segment is written before it gets its own.
  static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix(temporarySuffix) && isData(String(name.dropLast(temporarySuffix.count)))
  }

  /// The greatest number in a name: that of the log behind the last sequence number.
  package static let greatest = StoreLimit.sequence + 1

  /// Whether a sequence number can have been given: none is 0.
  package static func isPossible(_ sequence: UInt64) -> Bool {
    1...greatest ~= sequence
  }

  private static func hexadecimal(_ value: UInt64, width: Int = 16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Reads a name from its front; only what would be written again in the same way is taken.
private struct NameReader {
  private var rest: Substring.UTF8View

  init(_ name: String) { rest = name[...].utf8 }

  /// Reads a number of so many lower-case hexadecimal digits.
  mutating func number(digits: Int) -> UInt64? {
    var number: UInt64 = 0
    for _ in 0..<digits {
      guard let digit = rest.first.flatMap(Self.value) else { return nil }
      number = number << 4 | digit
      rest.removeFirst()
    }
    return number
  }

  /// Reads four digits or, when the first of them is not zero, up to eight.
  mutating func generation() -> UInt32? {
    guard var number = number(digits: 4) else { return nil }
    while let digit = rest.first.flatMap(Self.value) {
      guard number >= 0x1000, number < 0x1000_0000 else { return nil }
      number = number << 4 | digit
      rest.removeFirst()
    }
    return UInt32(truncatingIfNeeded: number)
  }

  mutating func skipDash() -> Bool { rest.popFirst() == UInt8(ascii: "-") }

  func isRest(_ suffix: String) -> Bool { rest.elementsEqual(suffix.utf8) }

  private static func value(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
