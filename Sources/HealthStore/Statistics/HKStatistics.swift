public import Foundation

/// What was computed from the quantity samples of one type in one stretch of time.
///
/// Only a query makes one. A quantity is nil where it was not asked for or where there is no sample
/// to compute it from. Immutable and safe to share between threads; reading a value takes constant
/// time. Equal when the type, the dates and all values are, which is ours: HealthKit promises
/// nothing of the kind.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of the samples.
  public let quantityType: HKQuantityType

  /// When the interval begins; of a single statistics query, when the earliest sample does.
  public let startDate: Date

  /// When the interval ends; of a single statistics query, when the sample that ends last does.
  public let endDate: Date

  /// The sources that have samples there; nil unless `separateBySource` was asked for.
  ///
  /// They are in the order of their bundle identifiers; HealthKit promises no order.
  public let sources: [HKSource]?

  /// The unit of all values but durations.
  let unit: HKUnit

  /// The values of all sources together.
  let merged: StatisticsValues

  /// The values of each source.
  let bySource: [HKSource: StatisticsValues]

  /// Statistics with these values.
  ///
  /// `sources` names those of `bySource` in their order, or is nil.
  init(
    _ quantityType: HKQuantityType, from startDate: Date, to endDate: Date, unit: HKUnit,
    merged: StatisticsValues = StatisticsValues(), sources: [HKSource]? = nil,
    bySource: [HKSource: StatisticsValues] = [:]
  ) {
    self.quantityType = quantityType
    self.startDate = startDate
    self.endDate = endDate
    self.unit = unit
    self.merged = merged
    self.sources = sources
    self.bySource = bySource
    super.init()
  }

  /// Statistics with what a merge computed for an interval.
  ///
  /// `sources` has all sources by the numbers that the merge knew them by; nil where statistics for
  /// each source were not asked for.
  convenience init(
    _ quantityType: HKQuantityType, from startDate: Date, to endDate: Date, unit: HKUnit,
    interval: StatisticsInterval, sources: [HKSource]?
  ) {
    var bySource: [HKSource: StatisticsValues] = [:]
    if let sources {
      for (number, values) in interval.bySource { bySource[sources[number]] = values }
    }
    self.init(
      quantityType, from: startDate, to: endDate, unit: unit, merged: interval.merged,
      sources: sources.map { _ in bySource.keys.sorted { $0.isBefore($1) } }, bySource: bySource)
  }

  /// The average of a discrete type, as its aggregation style forms it; needs `discreteAverage`.
  ///
  /// Arithmetic: all samples count the same. Temporally weighted: each counts with the seconds that
  /// it has in the interval, and one that takes no time as one second; HealthKit does not publish
  /// its formula. Equivalent continuous level: weighted like that, as the mean of the powers.
  open func averageQuantity() -> HKQuantity? { quantity(merged.average) }

  /// The average of one source's samples; needs `separateBySource` as well.
  open func averageQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.average)
  }

  /// The least value of a discrete type; needs `discreteMin`.
  open func minimumQuantity() -> HKQuantity? { quantity(merged.minimum) }

  /// The least value of one source's samples; needs `separateBySource` as well.
  open func minimumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.minimum)
  }

  /// The greatest value of a discrete type; needs `discreteMax`.
  open func maximumQuantity() -> HKQuantity? { quantity(merged.maximum) }

  /// The greatest value of one source's samples; needs `separateBySource` as well.
  open func maximumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.maximum)
  }

  /// The value of the sample that ends last, whole; needs `mostRecent`.
  ///
  /// Of samples that end together the one that starts later counts, then the one saved later. All
  /// sources take part, whatever the type.
  open func mostRecentQuantity() -> HKQuantity? { quantity(merged.mostRecent?.value) }

  /// The value of one source's sample that ends last; needs `separateBySource` as well.
  open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.mostRecent?.value)
  }

  /// When the sample of ``mostRecentQuantity()`` was taken; it may begin or end outside the
  /// interval.
  open func mostRecentQuantityDateInterval() -> DateInterval? { interval(merged.mostRecent) }

  /// When the sample of `mostRecentQuantity(for:)` was taken.
  open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
    interval(bySource[source]?.mostRecent)
  }

  /// The sum of a cumulative type; needs `cumulativeSum`.
  ///
  /// Nothing is counted twice: while samples of several sources overlap, the source of the highest
  /// priority counts.
  open func sumQuantity() -> HKQuantity? { quantity(merged.sum) }

  /// The sum of one source's samples, as if there were no other; needs `separateBySource` as well.
  open func sumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.sum)
  }

  /// How long samples were taken, counting the time once where they overlap; needs `duration`.
  ///
  /// In seconds. Samples that take no time add nothing.
  open func duration() -> HKQuantity? { seconds(merged.duration) }

  /// How long one source's samples were taken; needs `separateBySource` as well.
  open func duration(for source: HKSource) -> HKQuantity? {
    seconds(bySource[source]?.duration)
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads archived statistics.
  ///
  /// Returns nil when the archive is of a later version or lacks a field, or a date is no date.
  public required init?(coder: NSCoder) {
    guard let fields = StatisticsFields(coder: coder) else { return nil }
    quantityType = fields.quantityType
    startDate = fields.startDate
    endDate = fields.endDate
    unit = fields.unit
    merged = fields.merged
    sources = fields.sources
    bySource = fields.bySource
    super.init()
  }

  /// Archives the type, the dates, the unit and all values.
  open func encode(with coder: NSCoder) {
    StatisticsFields(self).encode(with: coder)
  }

  /// Returns the statistics themselves, which never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same type, dates, sources and values.
  ///
  /// Values are compared as numbers of their unit, so the units must be the same as well.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKStatistics else { return false }
    return self === other
      || (quantityType == other.quantityType && startDate == other.startDate
        && endDate == other.endDate && unit == other.unit && merged == other.merged
        && sources == other.sources && bySource == other.bySource)
  }

  /// A hash of the type and the dates.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(quantityType)
    hasher.combine(startDate)
    hasher.combine(endDate)
    return hasher.finalize()
  }

  /// The class, type and dates.
  open override var description: String {
    "HKStatistics \(quantityType.identifier) \(startDate.printed) - \(endDate.printed)"
  }
}

extension HKSource {
  /// Whether it comes first in a list: by the bytes of the bundle identifier, then of the name.
  fileprivate func isBefore(_ other: HKSource) -> Bool {
    if bundleIdentifier != other.bundleIdentifier {
      return bundleIdentifier.utf8.lexicographicallyPrecedes(other.bundleIdentifier.utf8)
    }
    return name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}

extension HKStatistics {
  fileprivate func quantity(_ value: Double?) -> HKQuantity? {
    value.map { HKQuantity(unit: unit, doubleValue: $0) }
  }

  fileprivate func seconds(_ value: Double?) -> HKQuantity? {
    value.map { HKQuantity(unit: .second(), doubleValue: $0) }
  }

  fileprivate func interval(_ sample: StatisticsValues.MostRecent?) -> DateInterval? {
    sample.map {
      DateInterval(
        start: Date(timeIntervalSinceReferenceDate: $0.start),
        end: Date(timeIntervalSinceReferenceDate: max($0.start, $0.end)))
    }
  }
}
