import Dispatch
import HealthKit

// One observer per type. Its completion handler is kept until the work is done.

final class BackgroundDeliveryCoordinator {
  private let healthStore: HKHealthStore
  private var queries: [HKObserverQuery] = []
  private let queue = DispatchQueue(label: "background-delivery")
  private let work: (HKSampleType, @escaping () -> Void) -> Void

  init(
    healthStore: HKHealthStore, work: @escaping (HKSampleType, @escaping () -> Void) -> Void
  ) {
    self.healthStore = healthStore
    self.work = work
  }

  func start(
    _ types: [HKSampleType], frequency: HKUpdateFrequency = .immediate,
    completion: @escaping (Error?) -> Void
  ) {
    let group = DispatchGroup()
    nonisolated(unsafe) var firstError: Error?
    for type in types {
      let query = HKObserverQuery(sampleType: type, predicate: nil) {
        [weak self] _, completionHandler, error in
        guard let self, error == nil else {
          completionHandler()
          return
        }
        self.queue.async { self.work(type, completionHandler) }
      }
      healthStore.execute(query)
      queries.append(query)
      group.enter()
      healthStore.enableBackgroundDelivery(for: type, frequency: frequency) { success, error in
        self.queue.async {
          if !success, firstError == nil { firstError = error }
          group.leave()
        }
      }
    }
    group.notify(queue: queue) { completion(firstError) }
  }

  func startCombined(
    _ types: [HKSampleType], onChange: @escaping (Set<HKSampleType>) -> Void
  ) {
    let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
    let query = HKObserverQuery(queryDescriptors: descriptors) { _, changed, done, error in
      defer { done() }
      if let changed, error == nil { onChange(changed) }
    }
    healthStore.execute(query)
    queries.append(query)
  }

  func stop() async throws {
    for query in queries { healthStore.stop(query) }
    queries = []
    try await healthStore.disableAllBackgroundDelivery()
  }
}
