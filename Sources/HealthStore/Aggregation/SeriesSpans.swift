import Foundation
internal import SampleLog

/// The values of a quantity series, as spans in order of start.
struct SeriesSpans: ListCursor {
  private var values: SeriesValues
  private let conversion: UnitConversion
  private let sequence: UInt64
  /// The rank of the parent row.
  private(set) var rank: Int

  /// Creates a cursor at the first value.
  init(_ values: SeriesValues, _ conversion: UnitConversion, rank: Int, sequence: UInt64) {
    self.values = values
    self.conversion = conversion
    self.rank = rank
    self.sequence = sequence
  }

  private static let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate

  /// The start of the next value.
  var start: Double { values.next.start }

  /// The next value.
  var span: StatisticsSpan {
    let next = values.next
    return StatisticsSpan(
      start: next.start, end: next.end,
      value: conversion.isIdentity ? next.value : conversion(next.value), rank: rank,
      sequence: sequence, hasUnknownEnd: next.end == Self.distantFuture)
  }

  /// Adjusts the rank after another was inserted: ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int) {
    if self.rank >= rank { self.rank += 1 }
  }

  func precedes(_ other: SeriesSpans) -> Bool {
    (start, sequence) < (other.start, other.sequence)
  }

  mutating func advance() throws -> Bool { try values.advance() }
}
