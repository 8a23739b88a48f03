import Foundation
import HealthStore
import SampleLog
import Testing

/// Compaction through the public interface.
@Suite struct StoreCompactionTests {
  private func makeStore() async throws -> HKHealthStore {
    var options = HKHealthStore.Options()
    options.sealRowCount = 500
    let store = HKHealthStore.inMemory(options: options)
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let unit = HKUnit(from: "count/min")
    var samples: [HKQuantitySample] = []
    for index in 0..<2001 {
      let date = start + Double(index)
      let quantity = HKQuantity(unit: unit, doubleValue: Double(60 + index % 40))
      samples.append(
        HKQuantitySample(
          type: HKQuantityType(.heartRate), quantity: quantity, start: date, end: date))
    }
    try await store.save(Array(samples.dropLast()))
    // The log is full by now, so these go into the next one.
    try await store.save([samples[2000]])
    try await store.delete(samples[0])
    return store
  }

  @Test func `Compaction reports its progress to the end`() async throws {
    let store = try await makeStore()
    let seen = Locked<[CompactionProgress]>([])
    let result = try await store.compact { done in seen.withLock { $0.append(done) } }
    #expect(result.segmentsAfter >= 1)
    let all = seen.withLock { $0 }
    #expect(all.first?.rowsDone == 0)
    #expect(all.last.map { $0.rowsDone == $0.rowsTotal } == true)
    #expect(all.last?.rowsTotal == 2002)
    #expect(all.map(\.rowsDone) == all.map(\.rowsDone).sorted())
  }

  @Test func `Cancelling the task ends a compaction, and the next one completes it`() async throws {
    let store = try await makeStore()
    let before = try await store.storeStatistics()
    let work = Locked<Task<CompactionResult, any Error>?>(nil)
    let task = Task {
      try await store.compact { done in
        // The first report precedes any merging. The loop waits until the task is stored.
        while work.withLock({ $0?.cancel() }) == nil {}
      }
    }
    work.withLock { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.storeStatistics().sampleCount == before.sampleCount)
    try await store.compact()
    #expect(try await store.storeStatistics().sampleCount == 2000)
  }

  @Test func `A database of many people can be compacted`() async throws {
    let database = try HealthDatabase.inMemory()
    let calls = Locked(0)
    _ = try await database.compact { _ in calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } > 0)
    try database.close()
  }
}
