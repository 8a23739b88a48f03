import Foundation
import HealthStore
import SampleLog

/// Statistics of our store in separate stores: two merged sources, and updates.
package struct StatisticsLoad {
  private static let steps = HKQuantityType(.stepCount)
  private static let heartRate = HKQuantityType(.heartRate)

  private let plan: PeerSession.Plan
  private let days: Int
  private let saves: Int
  private let directory: String
  private let epoch = HealthStorePeer.date(SampleStream.epoch)

  /// Prepares to measure the given number of saves after the given number of days of heart rates.
  package init(_ plan: PeerSession.Plan, days: Int = 3_652, saves: Int = 300) {
    self.plan = plan
    self.days = days
    self.saves = saves
    directory = "\(plan.directory)/healthstore-benchmark-statistics"
  }

  private var anchor: Date { Date(timeIntervalSinceReferenceDate: epoch) }

  /// The stream's steps saved twice, the second time by an iPhone and 30 seconds later, summed by
  /// day and by hour.
  package func merged() throws -> [Measurement] {
    try withStore(.buffered) { store in
      try fillWithSteps(store)
      let components = [DateComponents.days(1), DateComponents(hour: 1)]
      return try zip(MergeLoad.intervals, components).map { interval, components in
        let query = HKStatisticsCollectionQueryDescriptor(
          predicate: .quantitySample(type: Self.steps), options: .cumulativeSum,
          anchorDate: anchor, intervalComponents: components)
        return try MergeLoad.measure(interval.0, plan) {
          try blocking { try await query.result(for: store) }.statistics().map { statistics in
            IntervalSum(
              start: HealthStorePeer.milliseconds(
                statistics.startDate.timeIntervalSinceReferenceDate),
              sum: statistics.sumQuantity()?.doubleValue(for: .count()) ?? .nan)
          }
        }
      }
    }
  }

  /// Measures from the call of a durable save of 100 samples, five seconds apart as in the stream,
  /// until the update handler has the statistics of the day, after years with a heart rate each ten
  /// minutes.
  package func updates() throws -> [Measurement] {
    try withStore(.durable) { store in
      let count = days * 144
      try fillWithRates(store, count)
      let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
      let query = HKStatisticsCollectionQuery(
        quantityType: Self.heartRate, quantitySamplePredicate: nil,
        options: [.discreteAverage, .discreteMin, .discreteMax], anchorDate: anchor,
        intervalComponents: .days(1))
      query.initialResultsHandler = { _, _, _ in continuation.yield() }
      query.statisticsUpdateHandler = { _, _, _, _ in continuation.yield() }
      store.execute(query)
      defer { store.stop(query) }
      let latencies = try blocking {
        var iterator = calls.makeAsyncIterator()
        _ = await iterator.next()
        var latencies: [Double] = []
        for save in 0..<saves {
          let samples = try (0..<100).map { number in
            let seconds = count * 600 + (save * 100 + number) * 5
            return try rate(Double(seconds), 70)
          }
          let watch = Stopwatch()
          try await store.save(samples)
          _ = await iterator.next()
          latencies.append(watch.seconds * 1e6)
        }
        return latencies
      }
      return [
        Measurement(
          "save to statistics, 100 a commit, p50", "µs", .less, [latencies.percentile(0.5)]),
        Measurement("… p99", "µs", .less, [latencies.percentile(0.99)]),
      ]
    }
  }

  private func withStore<Result>(
    _ durability: Durability, _ body: (HKHealthStore) throws -> Result
  ) throws -> Result {
    try? FileManager.default.removeItem(atPath: directory)
    var options = Database.Options()
    options.durability = durability
    let store = try HKHealthStore(directory: URL(fileURLWithPath: directory), options: options)
    let result = try body(store)
    try blocking { try await store.close() }
    try FileManager.default.removeItem(atPath: directory)
    return result
  }

  private func fillWithSteps(_ store: HKHealthStore) throws {
    let products = ["Watch7,1", "iPhone15,2"]
    let revisions = products.map { product in
      HKSourceRevision(
        source: HKSource(name: product, bundleIdentifier: product), version: "1",
        productType: product, operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    }
    try MergeLoad.forEachPart(plan) { samples in
      let objects = try samples.map { sample in
        try HKQuantitySample.validated(
          type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: sample.value),
          start: Date(timeIntervalSinceReferenceDate: HealthStorePeer.date(sample.start)),
          end: Date(timeIntervalSinceReferenceDate: HealthStorePeer.date(sample.end)),
          sourceRevision: revisions[Int(sample.source)])
      }
      try blocking { try await store.save(objects) }
    }
    _ = try blocking { try await store.compact() }
  }

  private func fillWithRates(_ store: HKHealthStore, _ count: Int) throws {
    for start in stride(from: 0, to: count, by: 10_000) {
      let samples = try (start..<min(start + 10_000, count)).map { number in
        let value = 50 + number * 7 % 100
        return try rate(Double(number * 600), Double(value))
      }
      try blocking { try await store.save(samples) }
    }
    try blocking { try await store.flush() }
  }

  private func rate(_ offset: Double, _ value: Double) throws -> HKQuantitySample {
    let date = Date(timeIntervalSinceReferenceDate: epoch + offset)
    let unit = HKUnit.count().unitDivided(by: .minute())
    return try HKQuantitySample.validated(
      type: Self.heartRate, quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
      end: date)
  }
}
