import Foundation
import HealthStore
import Synchronization

/// HealthKit's calls on our store.
final class HealthStoreCalls: CallStore {
  let database: HealthDatabase
  private let handles: [HKHealthStore]
  private let anchors: [HKQueryAnchor]
  /// The number of the next sample that a client saves.
  private let next = Atomic(CallSubjects.samples)

  init(_ directory: String, subjects: Int) throws {
    let database = try HealthDatabase(directory: URL(fileURLWithPath: directory))
    self.database = database
    let handles = (0..<subjects).map { database.store(subject: CallSubjects.name($0)) }
    self.handles = handles
    anchors = try blocking {
      var anchors: [HKQueryAnchor] = []
      for handle in handles {
        anchors.append(try await Self.changes(after: nil, handle).newAnchor)
      }
      return anchors
    }
  }

  func client() -> any CallClient { Client(store: self) }

  private static func changes(
    after anchor: HKQueryAnchor?, _ handle: HKHealthStore
  ) async throws -> HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result {
    try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: CallSubjects.heartRate)], anchor: anchor,
      limit: CallSubjects.samples
    ).result(for: handle)
  }

  private static func newest(_ handle: HKHealthStore) async throws -> Double {
    let found = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: CallSubjects.heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
    ).result(for: handle)
    return found.first?.quantity.doubleValue(for: CallSubjects.unit) ?? 0
  }

  private final class Client: CallClient {
    private let store: HealthStoreCalls
    private let day: NSPredicate
    private let midnight = Date(timeIntervalSinceReferenceDate: CallSubjects.start)

    init(store: HealthStoreCalls) {
      self.store = store
      let date = Date(timeIntervalSinceReferenceDate: CallSubjects.askedDay)
      day = HKQuery.predicateForSamples(
        withStart: date, end: date + 86_400, options: .strictStartDate)
    }

    func make(_ call: Call, for subject: Int) async throws -> Double {
      let handle = store.handles[subject]
      switch call {
      case .newest: return try await HealthStoreCalls.newest(handle)
      case .handle:
        return try await HealthStoreCalls.newest(
          store.database.store(subject: CallSubjects.name(subject)))
      case .day:
        let found = try await HKSampleQueryDescriptor(
          predicates: [.quantitySample(type: CallSubjects.heartRate, predicate: day)],
          sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: handle)
        return found.reduce(0) { sum, sample in
          // Every property is read.
          let isWhole =
            sample.endDate == sample.startDate && sample.uuid != UUID.zero
            && sample.metadata?.isEmpty != true && sample.device == nil
            && sample.sourceRevision.source.bundleIdentifier != "none"
          return sum + (isWhole ? sample.quantity.doubleValue(for: CallSubjects.unit) : 0)
        }
      case .sum:
        let found = try await HKStatisticsQueryDescriptor(
          predicate: .quantitySample(type: CallSubjects.steps, predicate: day),
          options: .cumulativeSum
        ).result(for: handle)
        return found?.sumQuantity()?.doubleValue(for: .count()) ?? 0
      case .days:
        let found = try await HKStatisticsCollectionQueryDescriptor(
          predicate: .quantitySample(type: CallSubjects.steps), options: .cumulativeSum,
          anchorDate: midnight, intervalComponents: DateComponents.days(1)
        ).result(for: handle)
        return found.statistics().reduce(0) {
          $0 + ($1.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
      case .firstRead:
        return Double(try await HealthStoreCalls.changes(after: nil, handle).addedSamples.count)
      case .poll:
        let found = try await HealthStoreCalls.changes(after: store.anchors[subject], handle)
        return Double(found.addedSamples.count)
      case .save:
        let number = store.next.wrappingAdd(1, ordering: .relaxed).oldValue
        try await handle.save(CallSubjects.sample(CallSubjects.saved, number, of: subject))
        return 0
      }
    }
  }
}

extension UUID {
  fileprivate static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
