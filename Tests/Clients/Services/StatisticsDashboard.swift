import HealthKit

// Descriptors only, several of them concurrently.

struct DashboardTile: Equatable, Sendable {
  var title: String
  var value: Double
  var unit: String
}

actor StatisticsDashboard {
  private let store: HKHealthStore

  init(store: HKHealthStore) { self.store = store }

  func tiles(for day: DateInterval) async throws -> [DashboardTile] {
    async let steps = sum(.stepCount, .count(), day)
    async let energy = sum(.activeEnergyBurned, .kilocalorie(), day)
    async let pulse = average(.heartRate, HKUnit(from: "count/min"), day)
    var tiles: [DashboardTile] = []
    if let value = try await steps {
      tiles.append(DashboardTile(title: "Steps", value: value, unit: "count"))
    }
    if let value = try await energy {
      tiles.append(DashboardTile(title: "Energy", value: value, unit: "kcal"))
    }
    if let value = try await pulse {
      tiles.append(DashboardTile(title: "Heart rate", value: value, unit: "count/min"))
    }
    return tiles
  }

  private func statistics(
    _ identifier: HKQuantityTypeIdentifier, _ options: HKStatisticsOptions, _ day: DateInterval
  ) async throws -> HKStatistics? {
    let samples = HKSamplePredicate.quantitySample(
      type: HKQuantityType(identifier),
      predicate: HKQuery.predicateForSamples(
        withStart: day.start, end: day.end, options: [.strictStartDate, .strictEndDate]))
    return try await HKStatisticsQueryDescriptor(predicate: samples, options: options)
      .result(for: store)
  }

  private func sum(
    _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit, _ day: DateInterval
  ) async throws -> Double? {
    try await statistics(identifier, .cumulativeSum, day)?.sumQuantity()?.doubleValue(for: unit)
  }

  private func average(
    _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit, _ day: DateInterval
  ) async throws -> Double? {
    try await statistics(identifier, .discreteAverage, day)?.averageQuantity()?
      .doubleValue(for: unit)
  }

  func weeks(
    of identifier: HKQuantityTypeIdentifier, unit: HKUnit, anchor: Date, from start: Date,
    to end: Date
  ) async throws -> [Double] {
    let descriptor = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(identifier)), options: .cumulativeSum,
      anchorDate: anchor, intervalComponents: DateComponents(weekOfYear: 1))
    let collection = try await descriptor.result(for: store)
    var values: [Double] = []
    collection.enumerateStatistics(from: start, to: end) { statistics, _ in
      values.append(statistics.sumQuantity()?.doubleValue(for: unit) ?? 0)
    }
    return values
  }

  /// The names of the sources of a type, and the share of each.
  func shares(of identifier: HKQuantityTypeIdentifier) async throws -> [String: Double] {
    let type = HKQuantityType(identifier)
    let sources = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: type))
      .result(for: store)
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: type), options: [.cumulativeSum, .separateBySource]
    ).result(for: store)
    var shares: [String: Double] = [:]
    for source in sources {
      shares[source.name] = statistics?.sumQuantity(for: source)?.doubleValue(for: .count())
    }
    return shares
  }
}
