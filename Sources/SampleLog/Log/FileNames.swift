/// The names of a store's files, which say what each file covers.
package enum FileNames {
  package static let lock = "LOCK"
  package static let temporarySuffix = ".tmp"
  /// Marks a backup, and says what it holds.
  package static let backup = "BACKUP"
  /// Marks a directory that is being made, which is no store until it is gone.
  package static let unfinished = "UNFINISHED"
  private static let logSuffix = ".log"
  private static let segmentSuffix = ".segment"

  /// `0000000000000001.log`: the log whose first sequence number is 1.
  package static func log(first: UInt64) -> String { hexadecimal(first) + logSuffix }

  /// `0000000000000001-00000000000186a0-0002.segment`: first, last, generation.
  package static func segment(first: UInt64, last: UInt64, generation: UInt32) -> String {
    hexadecimal(first) + "-" + hexadecimal(last) + "-" + hexadecimal(UInt64(generation), width: 4)
      + segmentSuffix
  }

  package static func logFirst(_ name: String) -> UInt64? {
    guard name.hasSuffix(logSuffix) else { return nil }
    let stem = name.dropLast(logSuffix.count)
    guard stem.count == 16, let first = UInt64(stem, radix: 16), log(first: first) == name,
      isPossible(first)
    else { return nil }
    return first
  }

  package static func segmentRange(
    _ name: String
  ) -> (first: UInt64, last: UInt64, generation: UInt32)? {
    guard name.hasSuffix(segmentSuffix) else { return nil }
    let parts = name.dropLast(segmentSuffix.count).split(separator: "-")
    guard parts.count == 3, let first = UInt64(parts[0], radix: 16),
      let last = UInt64(parts[1], radix: 16), let generation = UInt32(parts[2], radix: 16),
      isPossible(first), isPossible(last), first <= last,
      segment(first: first, last: last, generation: generation) == name
    else { return nil }
    return (first, last, generation)
  }

  /// No sequence number comes near the limit of the arithmetic on them, which would take a million
  /// years of a million commits a second.
  package static let greatest: UInt64 = 1 << 62

  /// Whether a sequence number can have been given: none is 0.
  package static func isPossible(_ sequence: UInt64) -> Bool {
    1...greatest ~= sequence
  }

  private static func hexadecimal(_ value: UInt64, width: Int = 16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
