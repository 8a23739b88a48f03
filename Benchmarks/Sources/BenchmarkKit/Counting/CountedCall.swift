import Foundation
import HealthStore
import SampleLog

/// The counted HealthKit calls.
///
/// The store has two hundred people with a thousand samples each. The library generated the
/// identifiers.
enum CountedCall: String, CaseIterable {
  case newest = "call-newest"
  case day = "call-day"
  case sum = "call-sum"
  case days = "call-days"
  case firstRead = "call-first-read"
  case poll = "call-poll"
  case handle = "call-handle"
  case save = "call-save"

  static let subjects = 200
  /// The number of samples of each type per person.
  static let samples = 500
  /// The people that a round queries, each once.
  static let asked = 20

  /// The number of rows that a call returns or adds up.
  var rows: Int {
    switch self {
    case .newest, .handle: 1
    case .day, .sum: 144
    case .days, .firstRead: Self.samples
    case .poll, .save: 0
    }
  }

  private static let heartRate = HKQuantityType(.heartRate)
  private static let steps = HKQuantityType(.stepCount)
  private static let start = 700_000_000.0
  /// The seconds from one sample to the next: 144 a day.
  private static let interval = 600.0

  /// Saves the samples that the calls read, through `HKHealthStore`.
  static func prepare(_ directory: String, _ options: Database.Options) throws {
    let database = try Database(path: directory, options: options)
    for subject in 0..<subjects {
      let store = HKHealthStore(database: database, subject: "person \(subject)")
      let objects = (0..<samples).flatMap { number in
        [sample(heartRate, number, subject), sample(steps, number, subject)]
      }
      try blocking { try await store.save(objects) }
    }
    try database.seal()
    try database.close()
  }

  private static func sample(
    _ type: HKQuantityType, _ number: Int, _ subject: Int
  ) -> HKQuantitySample {
    let date = Date(timeIntervalSinceReferenceDate: start + Double(number) * interval)
    let unit = type == steps ? HKUnit.count() : .count().unitDivided(by: .minute())
    let value = Double(60 + (number * 7 + subject) % 50)
    return HKQuantitySample(
      type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
      end: type == steps ? date + interval : date)
  }

  /// Makes `count` rounds of calls, calling `between` before every round and after the last.
  func run(
    _ directory: String, rounds: Int, disk: CountingFileSystem, between: () -> Void
  ) throws {
    let database = try Database(
      path: directory, options: CountedWork.options, fileSystem: disk)
    let round = try round(database)
    for number in 0..<rounds {
      between()
      try round(number)
    }
    between()
    try database.close()
  }

  /// Returns a round of calls, one for each queried person.
  private func round(_ database: Database) throws -> (Int) throws -> Void {
    let stores = (0..<Self.asked).map {
      HKHealthStore(database: database, subject: "person \($0 * Self.subjects / Self.asked)")
    }
    let anchors = self == .poll ? try blocking { try await Self.anchors(stores) } : []
    return { number in
      try blocking {
        for (index, store) in stores.enumerated() {
          try await self.call(store, database, index, round: number, anchors)
        }
      }
    }
  }

  private static func anchors(_ stores: [HKHealthStore]) async throws -> [HKQueryAnchor] {
    var anchors: [HKQueryAnchor] = []
    for store in stores {
      let result = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: nil
      ).result(for: store)
      anchors.append(result.newAnchor)
    }
    return anchors
  }

  private func call(
    _ store: HKHealthStore, _ database: Database, _ index: Int, round: Int,
    _ anchors: [HKQueryAnchor]
  ) async throws {
    // A day in the middle.
    let date = Date(timeIntervalSinceReferenceDate: Self.start + 144 * Self.interval)
    let day = HKQuery.predicateForSamples(withStart: date, end: date + 86_400)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    switch self {
    case .newest: try await newest(store)
    case .handle:
      let subject = index * Self.subjects / Self.asked
      try await newest(HKHealthStore(database: database, subject: "person \(subject)"))
    case .day:
      let samples = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: Self.heartRate, predicate: day)],
        sortDescriptors: [SortDescriptor(\.startDate)]
      ).result(for: store)
      try require(samples.count == 144)
      let unit = HKUnit.count().unitDivided(by: .minute())
      let distinct = samples.reduce(into: Set<UUID>()) { ids, sample in
        let isRead =
          sample.endDate == sample.startDate && sample.quantity.doubleValue(for: unit) > 0
          && sample.metadata?.isEmpty != true && sample.device == nil
          && !sample.sourceRevision.source.name.isEmpty
        if isRead { ids.insert(sample.uuid) }
      }
      try require(distinct.count == 144)
    case .sum:
      let statistics = try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: Self.steps, predicate: day), options: .cumulativeSum
      ).result(for: store)
      try require(statistics?.sumQuantity() != nil)
    case .days:
      let collection = try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: Self.steps), options: .cumulativeSum,
        anchorDate: calendar.startOfDay(for: date), intervalComponents: DateComponents(day: 1)
      ).result(for: store)
      try require(collection.statistics().count >= 4)
    case .firstRead:
      let result = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: Self.heartRate)], anchor: nil
      ).result(for: store)
      try require(result.addedSamples.count == Self.samples)
    case .poll:
      let result = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: Self.heartRate)], anchor: anchors[index]
      ).result(for: store)
      try require(result.addedSamples.isEmpty)
    case .save:
      try await store.save(Self.sample(Self.heartRate, Self.samples + round, index))
    }
  }

  private func newest(_ store: HKHealthStore) async throws {
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: Self.heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
    ).result(for: store)
    try require(samples.first != nil)
  }

  private func require(_ isRight: Bool) throws {
    guard isRight else { throw BenchmarkError.failed("\(rawValue) gives a wrong answer.") }
  }
}
