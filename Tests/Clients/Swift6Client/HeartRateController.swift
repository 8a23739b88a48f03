import HealthKit

/// A controller typical of iOS programs: not `Sendable`, and captured in every handler.
///
/// Compiling this file in Swift 6 mode is a test. HealthKit's handlers are `@preconcurrency` there,
/// so such captures are only warnings, and they must be here as well.
package final class HeartRateController {
  /// The results of the handlers, in order of their calls.
  package private(set) var events: [String] = []
  private let store: HKHealthStore
  private let heartRate = HKQuantityType(.heartRate)
  private var anchor: HKQueryAnchor?

  package init(store: HKHealthStore) { self.store = store }

  /// Makes every call that takes a handler, each from within the previous one's handler.
  package func run(_ sample: HKQuantitySample, then done: @escaping () -> Void) {
    var steps = [
      authorize, status, save(sample), units, read, readByDescriptors, readChanges, readSources,
      readStatistics, readCorrelations, readSummaries, observe, deliver, delete(sample),
      deleteAll,
    ]
    func next() {
      if steps.isEmpty { done() } else { steps.removeFirst()(next) }
    }
    next()
  }

  private typealias Step = (@escaping () -> Void) -> Void

  private func authorize(then done: @escaping () -> Void) {
    store.requestAuthorization(toShare: [heartRate], read: [heartRate]) { success, _ in
      self.events.append("authorised \(success)")
      done()
    }
  }

  private func status(then done: @escaping () -> Void) {
    store.getRequestStatusForAuthorization(toShare: [heartRate], read: []) { status, _ in
      self.events.append("status \(status.rawValue)")
      done()
    }
  }

  private func save(_ sample: HKQuantitySample) -> Step {
    { done in
      self.store.save(sample) { success, _ in
        self.store.save([]) { _, _ in
          self.events.append("saved \(success)")
          done()
        }
      }
    }
  }

  private func units(then done: @escaping () -> Void) {
    store.preferredUnits(for: [heartRate]) { units, _ in
      self.events.append("unit \(units.values.first?.unitString ?? "")")
      done()
    }
  }

  private func read(then done: @escaping () -> Void) {
    store.execute(
      HKSampleQuery(
        sampleType: heartRate, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { [weak self] _, samples, _ in
        self?.events.append("read \(samples?.count ?? 0)")
        done()
      })
  }

  private func readByDescriptors(then done: @escaping () -> Void) {
    let descriptors = [HKQueryDescriptor(sampleType: heartRate, predicate: nil)]
    store.execute(
      HKSampleQuery(queryDescriptors: descriptors, limit: 1) { _, samples, _ in
        self.events.append("read \(samples?.count ?? 0)")
        done()
      })
  }

  private func readChanges(then done: @escaping () -> Void) {
    store.execute(
      HKAnchoredObjectQuery(
        type: heartRate, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
      ) { _, added, deleted, anchor, _ in
        self.anchor = anchor
        self.events.append("changes \(added?.count ?? 0) \(deleted?.count ?? 0)")
        done()
      })
  }

  private func readSources(then done: @escaping () -> Void) {
    store.execute(
      HKSourceQuery(sampleType: heartRate, samplePredicate: nil) { _, sources, _ in
        self.events.append("sources \(sources?.count ?? 0)")
        done()
      })
  }

  private func readStatistics(then done: @escaping () -> Void) {
    store.execute(
      HKStatisticsQuery(
        quantityType: heartRate, quantitySamplePredicate: nil, options: .discreteAverage
      ) { _, statistics, _ in
        let unit = HKUnit.count().unitDivided(by: .minute())
        self.events.append("mean \(statistics?.averageQuantity()?.doubleValue(for: unit) ?? 0)")
        done()
      })
  }

  private func readCorrelations(then done: @escaping () -> Void) {
    store.execute(
      HKCorrelationQuery(
        type: HKCorrelationType(.food), predicate: nil, samplePredicates: nil
      ) { _, correlations, _ in
        self.events.append("meals \(correlations?.count ?? 0)")
        done()
      })
  }

  private func readSummaries(then done: @escaping () -> Void) {
    store.execute(
      HKActivitySummaryQuery(predicate: nil) { _, summaries, _ in
        self.events.append("days \(summaries?.count ?? 0)")
        done()
      })
  }

  private func observe(then done: @escaping () -> Void) {
    store.execute(
      HKObserverQuery(sampleType: heartRate, predicate: nil) { query, completion, _ in
        self.store.stop(query)
        self.events.append("observed")
        completion()
        done()
      })
  }

  private func deliver(then done: @escaping () -> Void) {
    store.enableBackgroundDelivery(for: heartRate, frequency: .immediate) { success, _ in
      self.store.disableBackgroundDelivery(for: self.heartRate) { _, _ in
        self.store.disableAllBackgroundDelivery { _, _ in
          self.events.append("delivery \(success)")
          done()
        }
      }
    }
  }

  private func delete(_ sample: HKQuantitySample) -> Step {
    { done in
      self.store.delete(sample) { success, _ in
        self.store.delete([sample]) { again, _ in
          self.events.append("deleted \(success) \(again)")
          done()
        }
      }
    }
  }

  private func deleteAll(then done: @escaping () -> Void) {
    let all = HKQuery.predicateForSamples(withStart: nil, end: nil, options: [])
    store.deleteObjects(of: heartRate, predicate: all) { success, count, _ in
      self.events.append("deleted \(success) \(count)")
      done()
    }
  }
}
