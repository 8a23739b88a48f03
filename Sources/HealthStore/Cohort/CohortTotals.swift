import Foundation
internal import SampleLog

/// Merges aggregated groups that differ only in units or in the versions of their sources.
struct CohortTotals {
  private struct Key: Hashable {
    var subject: Symbol?
    var source: HKSource?
    var interval: Int
  }

  private let type: HKQuantityType
  private let reader: RowReader
  private let isCumulative: Bool
  private var keys: [Key] = []
  private var totals: [Key: Aggregate] = [:]
  private var unit: HKUnit

  init(_ type: HKQuantityType, _ reader: RowReader, isCumulative: Bool) {
    self.type = type
    self.reader = reader
    self.isCumulative = isCumulative
    unit = type.canonicalUnit
  }

  /// Adds the groups of an aggregate query.
  ///
  /// Must be called once, with all groups.
  ///
  /// - Throws: `errorInvalidArgument` if levels in different units would have to be added, and
  ///   ``StoreError/damaged(file:offset:reason:)`` for a unit that is incompatible with the type.
  mutating func add(_ groups: [AggregateGroup]) throws {
    let symbols = Set(groups.map(\.unit))
    // If all groups share a unit, values are returned as they were saved, without conversion.
    if symbols.count == 1, let only = symbols.first { unit = reader.unit(only) }
    var conversions: [Symbol: UnitConversion] = [:]
    for symbol in symbols {
      guard let conversion = reader.unit(symbol).conversion(to: unit) else {
        throw StoreError.damaged(
          file: "", offset: 0, reason: "a unit that is not of \(type.identifier)")
      }
      guard conversion.isAffine else {
        throw HKError.make(
          .errorInvalidArgument, "The levels of \(type.identifier) are in different units.")
      }
      conversions[symbol] = conversion
    }
    var sources: [Symbol: HKSource] = [:]
    for group in groups {
      guard let conversion = conversions[group.unit] else { continue }
      let source = group.source.map { symbol in
        let known = sources[symbol] ?? reader.sourceRevision(symbol).source
        sources[symbol] = known
        return known
      }
      let key = Key(subject: group.subject, source: source, interval: group.interval)
      let converted = group.aggregate.converted(conversion)
      if totals[key]?.add(converted) == nil {
        keys.append(key)
        totals[key] = converted
      }
    }
  }

  /// Returns the totals.
  ///
  /// The `dates` function returns the start and end of an interval.
  func values(
    of symbols: SymbolTable, _ dates: (Int) -> (start: Date, end: Date)
  ) -> [CohortTotal] {
    keys.compactMap { key in
      guard let total = totals[key], let average = total.average else { return nil }
      func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: unit, doubleValue: value) }
      let (start, end) = dates(key.interval)
      return CohortTotal(
        startDate: start, endDate: end, subject: key.subject.map(symbols.text),
        source: key.source, sampleCount: total.count,
        sum: isCumulative ? quantity(total.sum) : nil, average: quantity(average),
        minimum: quantity(total.minimum), maximum: quantity(total.maximum))
    }
  }
}

extension Aggregate {
  /// Returns the aggregate of the converted values.
  fileprivate func converted(_ conversion: UnitConversion) -> Aggregate {
    guard !conversion.isIdentity, let average else { return self }
    var result = self
    result.sum =
      conversion.isProportional ? conversion(sum) : conversion(average) * Double(count)
    result.minimum = conversion(minimum)
    result.maximum = conversion(maximum)
    return result
  }
}
