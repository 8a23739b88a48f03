/// The names of a store's files, which encode the sequence numbers that each file covers.
package enum FileNames {
  package static let lock = "LOCK"
  package static let temporarySuffix = ".tmp"
  /// The file that marks a backup and describes its contents.
  package static let backup = "BACKUP"
  /// The file that marks a directory under construction.
  ///
  /// The directory is not a store until the file is removed.
  package static let unfinished = "UNFINISHED"
  /// The file that marks a replica and names its primary.
  package static let replica = "REPLICA"
  /// The file that marks a directory whose commits are published, and records the last one
  /// published.
  package static let published = "PUBLISHED"
  private static let logSuffix = ".log"
  private static let sealedSuffix = ".sealed"
  private static let segmentSuffix = ".segment"

  /// Returns the name of the log that starts at a sequence number, such as `0000000000000001.log`.
  package static func log(first: UInt64) -> String { hexadecimal(first) + logSuffix }

  /// Returns the name of a segment, with its first and last sequence numbers and its generation,
  /// such as `0000000000000001-00000000000186a0-0002.segment`.
  package static func segment(first: UInt64, last: UInt64, generation: UInt32) -> String {
    hexadecimal(first) + "-" + hexadecimal(last) + "-" + hexadecimal(UInt64(generation), width: 4)
      + segmentSuffix
  }

  /// Returns the name of a sealed log that is kept until it is published, such as
  /// `0000000000000001.sealed`.
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

  /// Returns whether a name belongs to a log or a segment.
  package static func isData(_ name: String) -> Bool {
    logFirst(name) != nil || segmentRange(name) != nil
  }

  /// Returns whether a name is the temporary name under which a log or a segment is written.
  static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix(temporarySuffix) && isData(String(name.dropLast(temporarySuffix.count)))
  }

  /// The greatest number in a file name: that of the log after the last sequence number.
  package static let greatest = StoreLimit.sequence + 1

  /// Returns whether a sequence number is valid in a file name; 0 is never assigned.
  package static func isPossible(_ sequence: UInt64) -> Bool {
    1...greatest ~= sequence
  }

  private static func hexadecimal(_ value: UInt64, width: Int = 16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// A parser of file names.
///
/// Accepts only the canonical spelling.
private struct NameReader {
  private var rest: Substring.UTF8View

  init(_ name: String) { rest = name[...].utf8 }

  /// Reads a number with the given number of lower-case hexadecimal digits.
  mutating func number(digits: Int) -> UInt64? {
    var number: UInt64 = 0
    for _ in 0..<digits {
      guard let digit = rest.first.flatMap(Self.value) else { return nil }
      number = number << 4 | digit
      rest.removeFirst()
    }
    return number
  }

  /// Reads four digits or, if the first of them is not zero, up to eight.
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
