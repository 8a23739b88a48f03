import Foundation

/// The order and the subjects of the stream's samples in a store.
package struct LoadOrder: Sendable {
  /// The commit orders.
  package enum Order: String, CaseIterable, Sendable {
    /// The stream's order: by time, with one in a hundred up to three days late.
    case stream
    /// All samples shuffled.
    case random
    /// The newest first, then the years before: one year of history, or four fifths of a shorter
    /// stream.
    case historyLast = "history-last"
    /// Uploads of 500 neighbouring samples of the stream, with people in random order and one
    /// upload in twenty a month late.
    case uploads
  }

  /// The assignment of samples to subjects, for orders that do not determine it.
  package enum Dealing: String, CaseIterable, Sendable {
    /// Each subject in turn.
    case turns
    /// A random subject.
    case random
  }

  package var order = Order.stream
  /// The number of subjects, at most ``greatestSubjectCount``.
  package var subjects = 1
  package var dealing = Dealing.turns

  /// A checksum has 24 bits for the subject of a row.
  package static let greatestSubjectCount = 1 << 24

  package init() {}

  /// The number of samples that are saved after later samples of the stream.
  static func history(of count: Int) -> Int {
    Swift.min(365 * samplesPerDay, count * 4 / 5)
  }

  /// The number of the stream's samples in a day.
  static let samplesPerDay = 22_106

  /// The subject of the sample with a number.
  func subject(of number: UInt64) -> UInt32 {
    let number = dealing == .turns ? number : SplitMix.mix(number ^ 0x4445_414C_494E_4721)
    return UInt32(truncatingIfNeeded: number % UInt64(subjects))
  }

  /// The samples of a load, generated in chunks.
  func samples(_ count: Int, scratch directory: String) throws -> ArrivingSamples {
    try ArrivingSamples(self, count: count, directory: directory)
  }
}
