import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Tasks cancelled before each of their steps, in orders that seeds decide.
@Suite struct CancellationTests {
  private let heartRate = HKQuantityType(.heartRate)

  private func beat(_ value: Double) -> HKQuantitySample {
    HKQuantitySample(
      type: heartRate, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: value),
      start: Date(timeIntervalSinceReferenceDate: value),
      end: Date(timeIntervalSinceReferenceDate: value))
  }

  private func newStore() throws -> HKHealthStore {
    var options = Database.Options()
    options.sealsInBackground = false
    let database = try Database(
      path: "store", options: options, fileSystem: MemoryFileSystem())
    return HKHealthStore(database: database)
  }

  /// Starts a task that runs every step, including waits for a disk, on the given executor.
  private func task<Value: Sendable>(
    on executor: SeededExecutor, _ body: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    Task(executorPreference: executor) {
      let workplace = BlockingExecutor { executor.perform($0) }
      return try await BlockingExecutor.$simulated.withValue(workplace) { try await body() }
    }
  }

  /// The result of a task, or nil while it runs.
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Locked<Result<Value, any Error>?>(nil)
  }

  private func start<Value: Sendable>(
    on executor: SeededExecutor, _ body: @escaping @Sendable () async throws -> Value
  ) -> (Task<Void, any Error>, Outcome<Value>) {
    let outcome = Outcome<Value>()
    let task = task(on: executor) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    return (task, outcome)
  }

  /// Runs a body once per step, cancelled before that step, and once without cancellation.
  private func atEveryStep(
    seeds: Range<UInt64>, _ body: (SeededExecutor, Int) throws -> Int
  ) rethrows -> Int {
    var runs = 0
    for seed in seeds {
      for step in 0... {
        runs += 1
        if try body(SeededExecutor(seed: seed &* 1000 &+ UInt64(step)), step) <= step { break }
      }
    }
    return runs
  }

  @Test func `A save that is cancelled at any step is stored completely or not at all`() throws {
    var whole = 0
    let runs = try atEveryStep(seeds: 0..<40) { executor, step in
      let store = try newStore()
      let samples = (0..<3).map { beat(Double($0)) }
      let (task, outcome) = start(on: executor) { try await store.save(samples) }
      let steps = executor.run { if $0 == step { task.cancel() } }
      let count = try store.location.open().database.end
      switch outcome.result.withLock({ $0 }) {
      case .success:
        #expect(count == 3)
        whole += 1
      case .failure(let error):
        #expect(error is CancellationError)
        #expect(count == 0)
      case nil: Issue.record("the save was left waiting after step \(step)")
      }
      return steps
    }
    #expect(whole > 0 && whole < runs, "cancelled in time and too late")
  }

  @Test func `A query that is cancelled at any step ends with all results or none`() throws {
    var whole = 0
    let runs = try atEveryStep(seeds: 0..<40) { executor, step in
      let store = try newStore()
      let database = try store.location.open()
      try database.save([beat(1), beat(2)], subject: "")
      let heartRate = heartRate
      let (task, outcome) = start(on: executor) {
        try await HKSampleQueryDescriptor(
          predicates: [.quantitySample(type: heartRate)], sortDescriptors: []
        ).result(for: store).count
      }
      let steps = executor.run { if $0 == step { task.cancel() } }
      switch outcome.result.withLock({ $0 }) {
      case .success(let count):
        #expect(count == 2)
        whole += 1
      case .failure(let error): #expect(error is CancellationError)
      case nil: Issue.record("the query was left waiting after step \(step)")
      }
      return steps
    }
    #expect(whole > 0 && whole < runs, "cancelled in time and too late")
  }

  @Test
  func `A sequence that is cancelled at any step ends, and a new one resumes at its anchor`() throws
  {
    let runs = try atEveryStep(seeds: 0..<30) { executor, step in
      let store = try newStore()
      let heartRate = heartRate
      let seen = Locked<(values: [UUID], anchor: HKQueryAnchor?)>(([], nil))
      let follow: @Sendable (Int) async throws -> Void = { wanted in
        let feed = HKAnchoredObjectQueryDescriptor(
          predicates: [.quantitySample(type: heartRate)], anchor: seen.withLock { $0.anchor },
          limit: 2)
        for try await page in feed.results(for: store) {
          let count = seen.withLock { seen in
            seen.values += page.addedSamples.map(\.uuid)
            seen.anchor = page.newAnchor
            return seen.values.count
          }
          if count == wanted { return }
        }
      }
      let samples = (0..<5).map { beat(Double($0)) }
      let (reading, ended) = start(on: executor) { try await follow(.max) }
      let (_, saved) = start(on: executor) {
        for sample in samples { try await store.save(sample) }
      }
      let steps = executor.run { if $0 == step { reading.cancel() } }
      if steps <= step {
        reading.cancel()
        executor.run()
      }
      #expect(ended.result.withLock { $0 } != nil, "left waiting after step \(step)")
      if case .failure(let error) = ended.result.withLock({ $0 }) {
        #expect(error is CancellationError)
      }
      #expect(saved.result.withLock { $0 } != nil, "a reader held up the writer")
      if seen.withLock({ $0.values.count }) < 5 {
        let (_, again) = start(on: executor) { try await follow(5) }
        executor.run()
        #expect(again.result.withLock { $0 } != nil)
      }
      #expect(seen.withLock { $0.values } == samples.map(\.uuid))
      return steps
    }
    #expect(runs > 500)
  }

  @Test func `Abandoned readers cost a writer no step and the store one observer each`()
    async throws
  {
    var steps: [Int] = []
    for stalled in [0, 50] {
      let executor = SeededExecutor(seed: 5)
      let store = try newStore()
      let database = try store.location.open().database
      let heartRate = heartRate
      let held = Locked<[HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Results.Iterator]>([])
      for _ in 0..<stalled {
        _ = task(on: executor) {
          var iterator = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: heartRate)], anchor: nil
          ).results(for: store).makeAsyncIterator()
          _ = try await iterator.next()
          held.withLock { [iterator] in $0.append(iterator) }
        }
      }
      executor.run()
      #expect(held.withLock { $0.count } == stalled)
      let samples = (0..<20).map { beat(Double($0)) }
      let (_, saved) = start(on: executor) {
        for sample in samples { try await store.save(sample) }
      }
      steps.append(executor.run())
      #expect(saved.result.withLock { $0 } != nil)
      #expect(database.observationCount == stalled)
    }
    #expect(steps[0] == steps[1])
  }

  @Test func `Equal seeds give equal task orders and different seeds give different ones`() {
    func trace(_ seed: UInt64) -> [Int] {
      let executor = SeededExecutor(seed: seed)
      let order = Locked<[Int]>([])
      let task = Task(executorPreference: executor) {
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<5 {
            group.addTask {
              for _ in 0..<3 {
                order.withLock { $0.append(number) }
                await Task.yield()
              }
            }
          }
        }
      }
      executor.run()
      withExtendedLifetime(task) {}
      return order.withLock { $0 }
    }
    #expect(trace(1) == trace(1))
    #expect(trace(1).count == 15)
    #expect(Set((0..<5).map { trace(UInt64($0)) }).count > 1)
  }
}
