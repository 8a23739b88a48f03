import Foundation
internal import SampleLog

/// The values of a quantity series as the spans that a sweep adds.
struct SeriesSpans: ListCursor {
  private var values: SeriesValues
  private let conversion: UnitConversion
  private let sequence: UInt64
  /// The rank of the row that stands for the values.
  private(set) var rank: Int

  /// Begins with the first value.
  init(_ values: SeriesValues, _ conversion: UnitConversion, rank: Int, sequence: UInt64) {
    self.values = values
    self.conversion = conversion
    self.rank = rank
    self.sequence = sequence
  }

  private static let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate

  /// When the next value starts.
  var start: Double { values.next.start }

  /// The next value.
  var span: StatisticsSpan {
    let next = values.next
    return StatisticsSpan(
      start: next.start, end: next.end,
      value: conversion.isIdentity ? next.value : conversion(next.value), rank: rank,
      sequence: sequence, hasUnknownEnd: next.end == Self.distantFuture)
  }

  /// Moves down if a rank is inserted above.
  mutating func insertRank(_ rank: Int) {
    if self.rank >= rank { self.rank += 1 }
  }

  func precedes(_ other: SeriesSpans) -> Bool {
    (start, sequence) < (other.start, other.sequence)
  }

  mutating func advance() throws -> Bool { try values.advance() }
}
