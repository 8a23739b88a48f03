public import Foundation

/// Statistics of the quantity samples of one type in one time interval.
///
/// Only queries create statistics. A quantity is nil if its option was not requested or if the
/// interval has no samples for it. Immutable and safe to share between threads; reading a value
/// takes constant time. Two objects are equal if their types, dates and values are equal; HealthKit
/// does not document equality.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of the samples.
  public let quantityType: HKQuantityType

  /// The start of the interval.
  ///
  /// For a single statistics query, the start of the earliest sample.
  public let startDate: Date

  /// The end of the interval.
  ///
  /// For a single statistics query, the latest end of a sample.
  public let endDate: Date

  /// The sources that have samples in the interval, or nil unless `separateBySource` was requested.
  ///
  /// Sorted by bundle identifier; HealthKit documents no order.
  public let sources: [HKSource]?

  /// The unit of all values except durations.
  let unit: HKUnit

  /// The values of all sources combined.
  let merged: StatisticsValues

  /// The values of each source.
  let bySource: [HKSource: StatisticsValues]

  /// Creates statistics from computed values.
  ///
  /// `sources` lists the keys of `bySource` in order, or is nil.
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

  /// Creates statistics from the result of a merge for one interval.
  ///
  /// `sources` holds all sources, indexed by the numbers that the merge used. It is nil unless
  /// statistics by source were requested.
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

  /// Returns the average of a discrete type according to its aggregation style; requires
  /// `discreteAverage`.
  ///
  /// Arithmetic: all samples have the same weight. Temporally weighted: the weight is the time of
  /// the sample within the interval, in seconds; an instantaneous sample weighs one second.
  /// HealthKit does not publish its formula. Equivalent continuous level: the same weights, applied
  /// to the powers.
  open func averageQuantity() -> HKQuantity? { quantity(merged.average) }

  /// Returns the average of one source's samples; also requires `separateBySource`.
  open func averageQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.average)
  }

  /// Returns the minimum value of a discrete type; requires `discreteMin`.
  open func minimumQuantity() -> HKQuantity? { quantity(merged.minimum) }

  /// Returns the minimum value of one source's samples; also requires `separateBySource`.
  open func minimumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.minimum)
  }

  /// Returns the maximum value of a discrete type; requires `discreteMax`.
  open func maximumQuantity() -> HKQuantity? { quantity(merged.maximum) }

  /// Returns the maximum value of one source's samples; also requires `separateBySource`.
  open func maximumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.maximum)
  }

  /// Returns the complete value of the sample that ends last; requires `mostRecent`.
  ///
  /// Ties are broken by the later start, then by the later commit. Samples of all sources are
  /// considered, even for cumulative types.
  open func mostRecentQuantity() -> HKQuantity? { quantity(merged.mostRecent?.value) }

  /// Returns the value of one source's sample that ends last; also requires `separateBySource`.
  open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.mostRecent?.value)
  }

  /// Returns the dates of the sample of ``mostRecentQuantity()``, which may extend beyond the
  /// interval.
  open func mostRecentQuantityDateInterval() -> DateInterval? { interval(merged.mostRecent) }

  /// Returns the dates of the sample of `mostRecentQuantity(for:)`.
  open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
    interval(bySource[source]?.mostRecent)
  }

  /// Returns the sum of a cumulative type; requires `cumulativeSum`.
  ///
  /// Overlapping samples are not counted twice: while samples of several sources overlap, only the
  /// source with the highest priority counts.
  open func sumQuantity() -> HKQuantity? { quantity(merged.sum) }

  /// Returns the sum of one source's samples without regard to others; also requires
  /// `separateBySource`.
  open func sumQuantity(for source: HKSource) -> HKQuantity? {
    quantity(bySource[source]?.sum)
  }

  /// Returns the time covered by samples, in seconds; requires `duration`.
  ///
  /// Overlapping time counts once. Instantaneous samples add nothing.
  open func duration() -> HKQuantity? { seconds(merged.duration) }

  /// Returns the time covered by one source's samples; also requires `separateBySource`.
  open func duration(for source: HKSource) -> HKQuantity? {
    seconds(bySource[source]?.duration)
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes archived statistics.
  ///
  /// Returns nil if the archive has a later version, lacks a field or holds an invalid date.
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

  /// Encodes the type, the dates, the unit and all values.
  open func encode(with coder: NSCoder) {
    StatisticsFields(self).encode(with: coder)
  }

  /// Returns the same object, because statistics are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both objects have the same type, dates, sources and values.
  ///
  /// Values are compared as numbers, so the units must be equal as well.
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

  /// The class name, the type and the dates.
  open override var description: String {
    "HKStatistics \(quantityType.identifier) \(startDate.printed) - \(endDate.printed)"
  }
}

extension HKSource {
  /// Returns whether the source sorts first: by the UTF-8 bytes of the bundle identifier, then of
  /// the name.
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
