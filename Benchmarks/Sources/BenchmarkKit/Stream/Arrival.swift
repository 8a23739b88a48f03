import Foundation

/// In which order and for whom the stream's samples reach a store.
package struct Arrival: Sendable {
  /// The orders.
  package enum Order: String, CaseIterable, Sendable {
    /// As the stream makes them: in order of time, one in a hundred up to three days late.
    case stream
    /// All samples shuffled.
    case random
    /// The newest first, then the years before: one year of history, or four fifths of a stream
    /// that is shorter than that.
    case historyLast = "history-last"
    /// As people send them: each 500 neighbouring samples of the stream at a time, people in random
    /// order, one upload in twenty a month late.
    case uploads
  }

  /// Who gets a sample, of orders in which samples have no owner yet.
  package enum Dealing: String, CaseIterable, Sendable {
    /// One after the other.
    case turns
    /// Anybody.
    case random
  }

  package var order = Order.stream
  /// How many people the samples are dealt to; at most ``greatestSubjectCount``.
  package var subjects = 1
  package var dealing = Dealing.turns

  /// A checksum has 24 bits for who a row is of.
  package static let greatestSubjectCount = 1 << 24

  package init() {}

  /// How many of the samples arrive after those that follow them in the stream.
  static func history(of count: Int) -> Int {
    Swift.min(365 * samplesPerDay, count * 4 / 5)
  }

  /// What a day of the stream has.
  static let samplesPerDay = 22_106

  /// Who gets the sample of a number.
  func subject(of number: UInt64) -> UInt32 {
    let number = dealing == .turns ? number : SplitMix.mix(number ^ 0x4445_414C_494E_4721)
    return UInt32(truncatingIfNeeded: number % UInt64(subjects))
  }

  /// The samples of a load, in pieces.
  func samples(_ count: Int, scratch directory: String) throws -> ArrivingSamples {
    try ArrivingSamples(self, count: count, directory: directory)
  }
}
