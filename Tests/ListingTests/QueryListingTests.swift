import HealthKit
import Testing

/// The listings in the comments of queries and descriptors.
@Suite struct QueryListingTests {
  private let store = HKHealthStore.inMemory()
  private let shown = Shown()

  private func show(_ value: Any?) { shown.show(value) }

  private func fill() async throws {
    try await store.save([beat(60), beat(64, 60), walk(10), walk(20, 60)])
  }

  @Test func `a sample query returns samples`() async throws {
    try await fill()

    let query = HKSampleQuery(
      sampleType: heartRate, predicate: nil, limit: 10,
      sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)]
    ) { query, samples, error in
      guard let samples = samples as? [HKQuantitySample] else { return }
      show(samples.map(\.quantity))
    }
    store.execute(query)

    #expect(await shown.next() == "[64 count/min, 60 count/min]")
  }

  @Test func `an anchored query returns changes`() async throws {
    try await fill()
    let anchor: HKQueryAnchor? = nil
    @Sendable func apply(
      _ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?
    ) {
      show([added?.count, deleted?.count])
    }

    let query = HKAnchoredObjectQuery(
      type: heartRate, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
    ) { query, added, deleted, newAnchor, error in
      apply(added, deleted, newAnchor)
    }
    query.updateHandler = { query, added, deleted, newAnchor, error in
      apply(added, deleted, newAnchor)
    }
    store.execute(query)

    #expect(await shown.next() == "[Optional(2), Optional(0)]")
    try await store.save(beat(70, 120))
    #expect(await shown.next() == "[Optional(1), Optional(0)]")
    store.stop(query)
  }

  @Test func `statistics queries return statistics`() async throws {
    try await fill()

    let query = HKStatisticsQuery(
      quantityType: heartRate, quantitySamplePredicate: nil, options: .discreteAverage
    ) { query, statistics, error in
      show(statistics?.averageQuantity())
    }
    store.execute(query)

    #expect(await shown.next() == "62 count/min")
    try await collection()
  }

  private func collection() async throws {
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: midnight, intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { query, collection, error in
      collection?.enumerateStatistics(from: midnight, to: midnight + 86_399) { day, stop in
        show(day.sumQuantity())
      }
    }
    store.execute(query)

    #expect(await shown.next() == "30 count")
  }

  @Test func `queries return sources, correlations and days`() async throws {
    try await fill()

    let query = HKSourceQuery(sampleType: steps, samplePredicate: nil) { query, sources, error in
      show(sources?.count)
    }
    store.execute(query)

    #expect(await shown.next() == "1")
    try await correlations()
    try await days()
  }

  private func correlations() async throws {
    let high = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 140))
    let query = HKCorrelationQuery(
      type: HKCorrelationType(.bloodPressure), predicate: nil,
      samplePredicates: [HKQuantityType(.bloodPressureSystolic): high]
    ) { query, correlations, error in
      show(correlations?.count)
    }
    store.execute(query)

    #expect(await shown.next() == "0")
  }

  private func days() async throws {
    let query = HKActivitySummaryQuery(predicate: nil) { query, summaries, error in
      show(summaries?.map(\.activeEnergyBurned))
    }
    store.execute(query)

    #expect(await shown.next() == "[]")
  }

  @Test func `descriptors return samples and statistics`() async throws {
    try await fill()

    let descriptor = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 10)
    let samples = try await descriptor.result(for: store)

    #expect(samples.count == 2)
    try await average()
    try await days(of: steps)
  }

  private func average() async throws {
    let descriptor = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: heartRate), options: .discreteAverage)
    let average = try await descriptor.result(for: store)?.averageQuantity()

    #expect(average?.doubleValue(for: perMinute) == 62)
  }

  private func days(of steps: HKQuantityType) async throws {
    let descriptor = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: midnight,
      intervalComponents: DateComponents(day: 1))
    for day in try await descriptor.result(for: store).statistics() {
      show(day.sumQuantity())
    }

    #expect(await shown.next() == "30 count")
  }

  @Test func `a descriptor returns changes, and its anchor is archived`() async throws {
    try await fill()
    let anchors = AsyncStream.makeStream(of: HKQueryAnchor.self)
    let task = Task { [store] in
      let anchor: HKQueryAnchor? = nil
      func apply(_ added: [HKQuantitySample], _ deleted: [HKDeletedObject], _ anchor: HKQueryAnchor)
      {
        anchors.continuation.yield(anchor)
      }

      let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: anchor)
      for try await update in descriptor.results(for: store) {
        apply(update.addedSamples, update.deletedObjects, update.newAnchor)
      }
    }
    var iterator = anchors.stream.makeAsyncIterator()
    let anchor = try #require(await iterator.next())
    task.cancel()

    let data = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    let same = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)

    #expect(same == anchor)
  }

  @Test func `an observer is called until it acknowledges`() async throws {
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .immediate)
    let observer = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, error in
      // Read on from an archived anchor, keep the new one, then:
      completion()
    }
    store.execute(observer)

    #expect(try await store.backgroundDelivery(for: heartRate)?.isStopped == false)
    store.stop(observer)
  }

  @Test func `stages of sleep are counted by night`() async throws {
    let noon = midnight - 43_200
    try await store.save(
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: midnight,
        end: midnight + 3600))

    let nights = HKCategoryDurationCollectionQueryDescriptor(
      predicate: .categorySample(type: HKCategoryType(.sleepAnalysis)), anchorDate: noon,
      intervalComponents: DateComponents(day: 1))
    for night in try await nights.result(for: store) {
      print(night.startDate, night.duration(of: HKCategoryValueSleepAnalysis.asleepREM))
    }

    #expect(try await nights.result(for: store).count == 1)
  }
}
