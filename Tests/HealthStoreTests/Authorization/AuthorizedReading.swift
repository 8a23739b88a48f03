import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// One way to read samples, and the heart rates that it returns.
struct AuthorizedReading: Sendable, CustomTestStringConvertible {
  /// The name of the tested declaration.
  let name: String
  /// Distinguishes several uses of the same declaration.
  let form: String
  /// Reads the values visible in a store.
  let values: @Sendable (HKHealthStore) async throws -> Set<Double>

  init(
    _ name: String, _ form: String = "",
    _ values: @escaping @Sendable (HKHealthStore) async throws -> Set<Double>
  ) {
    self.name = name
    self.form = form
    self.values = values
  }

  var testDescription: String { form.isEmpty ? name : "\(name) (\(form))" }

  static let program = HKSource(name: "App", bundleIdentifier: "org.example.app")
  static let own = 60.0
  static let others = 150.0

  /// Saves a heart rate of the program and one of another source.
  static func save(into store: HKHealthStore, at offset: TimeInterval = 0) async throws {
    try await store.save([
      try heartBeat(others, at: offset, source: revision("watch")),
      try heartBeat(own, at: offset),
    ])
  }

  static func values(_ samples: [HKSample]) -> Set<Double> {
    Set(
      samples.compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: testBeats) })
  }

  static func values(_ statistics: HKStatistics?) -> Set<Double> {
    Set(
      [statistics?.minimumQuantity(), statistics?.maximumQuantity()].compactMap {
        $0?.doubleValue(for: testBeats)
      })
  }

  static func values(_ sources: some Sequence<HKSource>) -> Set<Double> {
    Set(sources.map { $0 == program ? own : others })
  }

  /// Executes a query and returns the values passed to its handler, in order.
  static func answers<Value: Sendable>(
    of store: HKHealthStore,
    _ query: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> HKQuery
  ) -> (query: HKQuery, answers: AsyncThrowingStream<Value, any Error>.Iterator) {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    let query = query { value, error in
      if let value { continuation.yield(value) } else { continuation.finish(throwing: error) }
    }
    store.execute(query)
    return (query, stream.makeAsyncIterator())
  }

  static let days = DateComponents(day: 1)
}

extension AuthorizedReading {
  /// Queries with handlers.
  static let queries = [
    AuthorizedReading("HKSampleQuery") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        HKSampleQuery(
          sampleType: testHeartRate, predicate: nil, limit: 0, sortDescriptors: nil
        ) { report($1, $2) }
      }
      return values(try await answers.next() ?? [])
    },
    AuthorizedReading("HKQuantitySeriesSampleQuery") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        HKQuantitySeriesSampleQuery(quantityType: testHeartRate, predicate: nil) {
          _, quantity, _, _, isDone, error in
          if let quantity { report(quantity.doubleValue(for: testBeats), nil) }
          if isDone { report(nil, error) }
        }
      }
      var values: Set<Double> = []
      while let value = try await answers.next() { values.insert(value) }
      return values
    },
    AuthorizedReading("HKAnchoredObjectQuery", "once") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        HKAnchoredObjectQuery(type: testHeartRate, predicate: nil, anchor: nil, limit: 0) {
          report($1, $4)
        }
      }
      return values(try await answers.next() ?? [])
    },
    AuthorizedReading("HKAnchoredObjectQuery", "updates") { store in
      var (query, answers) = answers(of: store) { report in
        let query = HKAnchoredObjectQuery(
          type: testHeartRate, predicate: nil, anchor: nil, limit: 0
        ) { report($1, $4) }
        query.updateHandler = { report($1, $4) }
        return query
      }
      defer { store.stop(query) }
      _ = try await answers.next()
      try await save(into: store)
      return values(try await answers.next() ?? [])
    },
    AuthorizedReading("HKAnchoredObjectQuery", "number") { store in
      try await save(into: store)
      let reader = StoreReader(
        try store.location.open(), subject: "", policy: store.authorization)
      let plan = try reader.plan([(testHeartRate, try SampleCondition(nil))])
      return values(try reader.samples(plan, afterNumber: 0, limit: 0).samples)
    },
    AuthorizedReading("HKObserverQuery") { store in
      let calls = Locked(0)
      var (query, answers) = answers(of: store) { report in
        HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, error in
          report(
            error == nil
              ? calls.withLock {
                $0 += 1; return $0
              } : nil, error)
        }
      }
      defer { store.stop(query) }
      _ = try await answers.next()
      query.execution.settle()
      var seen: Set<Double> = []
      for (value, source) in [(others, revision("watch")), (own, nil)] {
        let before = calls.withLock { $0 }
        try await store.save(try heartBeat(value, source: source))
        query.execution.settle()
        if calls.withLock({ $0 }) > before { seen.insert(value) }
      }
      return seen
    },
    AuthorizedReading("HKSourceQuery") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        HKSourceQuery(sampleType: testHeartRate, samplePredicate: nil) { report($1, $2) }
      }
      return values(try await answers.next() ?? [])
    },
    AuthorizedReading("HKCorrelationQuery") { store in
      try await save(into: store)
      let type = HKCorrelationType(.bloodPressure)
      let objects: Set<HKSample> = [
        try heartBeat(others, source: revision("watch")), try heartBeat(own),
      ]
      try await store.save(
        HKCorrelation(type: type, start: testStart, end: testStart, objects: objects))
      var (_, answers) = answers(of: store) { report in
        HKCorrelationQuery(type: type, predicate: nil, samplePredicates: nil) { report($1, $2) }
      }
      return values(try await answers.next()?.flatMap(\.objects) ?? [])
    },
    AuthorizedReading("HKStatisticsQuery") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        HKStatisticsQuery(
          quantityType: testHeartRate, quantitySamplePredicate: nil,
          options: [.discreteMin, .discreteMax]
        ) { report($1, $2) }
      }
      return values(try await answers.next())
    },
    AuthorizedReading("HKStatisticsCollectionQuery", "once") { store in
      try await save(into: store)
      var (_, answers) = answers(of: store) { report in
        let query = HKStatisticsCollectionQuery(
          quantityType: testHeartRate, quantitySamplePredicate: nil,
          options: [.discreteMin, .discreteMax], anchorDate: testStart, intervalComponents: days)
        query.initialResultsHandler = { report($1, $2) }
        return query
      }
      return values(try await answers.next()?.statistics().first)
    },
    AuthorizedReading("HKStatisticsCollectionQuery", "updates") { store in
      var (query, answers) = answers(of: store) { report in
        let query = HKStatisticsCollectionQuery(
          quantityType: testHeartRate, quantitySamplePredicate: nil,
          options: [.discreteMin, .discreteMax], anchorDate: testStart, intervalComponents: days)
        query.initialResultsHandler = { report($1, $2) }
        query.statisticsUpdateHandler = { report($2, $3) }
        return query
      }
      defer { store.stop(query) }
      _ = try await answers.next()
      try await save(into: store)
      return values(try await answers.next()?.statistics().first)
    },
  ]
}
