// swift-format-ignore-file: NeverForceUnwrap

import HealthKit

// Completion handlers, types looked up by identifier, and totals by day.

enum StepCounterError: Error {
  case unavailable
  case denied
}

final class StepCounter: @unchecked Sendable {
  private let healthStore: HKHealthStore
  private let stepType = HKObjectType.quantityType(forIdentifier: .stepCount)!
  private var liveQuery: HKStatisticsCollectionQuery?

  var onUpdate: ((Date, Double) -> Void)?

  init(healthStore: HKHealthStore) {
    self.healthStore = healthStore
  }

  func requestAccess(completion: @escaping (Result<Void, Error>) -> Void) {
    guard HKHealthStore.isHealthDataAvailable() else {
      completion(.failure(StepCounterError.unavailable))
      return
    }
    let read: Set<HKObjectType> = [
      stepType, HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,
    ]
    healthStore.requestAuthorization(toShare: [stepType], read: read) { success, error in
      if let error {
        completion(.failure(error))
      } else {
        completion(success ? .success(()) : .failure(StepCounterError.denied))
      }
    }
  }

  func add(steps: Int, from start: Date, to end: Date, completion: @escaping (Bool) -> Void) {
    let sample = HKQuantitySample(
      type: stepType, quantity: HKQuantity(unit: .count(), doubleValue: Double(steps)),
      start: start, end: end, metadata: [HKMetadataKeyWasUserEntered: true])
    healthStore.save(sample) { success, _ in completion(success) }
  }

  func steps(
    on day: Date, calendar: Calendar = .current, completion: @escaping (Double?, Error?) -> Void
  ) {
    let start = calendar.startOfDay(for: day)
    let end = calendar.date(byAdding: .day, value: 1, to: start)
    let predicate = HKQuery.predicateForSamples(
      withStart: start, end: end, options: .strictStartDate)
    let query = HKStatisticsQuery(
      quantityType: stepType, quantitySamplePredicate: predicate, options: .cumulativeSum
    ) { _, statistics, error in
      completion(statistics?.sumQuantity()?.doubleValue(for: .count()), error)
    }
    healthStore.execute(query)
  }

  func dailySteps(
    from start: Date, to end: Date, calendar: Calendar = .current,
    completion: @escaping @Sendable ([Date: Double]) -> Void
  ) {
    var interval = DateComponents()
    interval.calendar = calendar
    interval.day = 1
    let query = HKStatisticsCollectionQuery(
      quantityType: stepType, quantitySamplePredicate: nil, options: [.cumulativeSum],
      anchorDate: calendar.startOfDay(for: start), intervalComponents: interval)
    query.initialResultsHandler = { _, collection, error in
      var days: [Date: Double] = [:]
      collection?.enumerateStatistics(from: start, to: end) { statistics, stop in
        if let sum = statistics.sumQuantity() {
          days[statistics.startDate] = sum.doubleValue(for: HKUnit.count())
        }
        if days.count == 366 { stop.pointee = true }
      }
      completion(days)
    }
    healthStore.execute(query)
  }

  func startUpdates(anchor: Date) {
    let query = HKStatisticsCollectionQuery(
      quantityType: stepType, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: anchor, intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { [weak self] _, collection, _ in
      collection?.statistics().forEach { self?.report($0) }
    }
    query.statisticsUpdateHandler = { [weak self] _, statistics, _, _ in
      if let statistics { self?.report(statistics) }
    }
    healthStore.execute(query)
    liveQuery = query
  }

  func stopUpdates() {
    if let query = liveQuery { healthStore.stop(query) }
    liveQuery = nil
  }

  private func report(_ statistics: HKStatistics) {
    onUpdate?(statistics.startDate, statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0)
  }
}
