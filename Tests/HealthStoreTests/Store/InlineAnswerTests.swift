import Dispatch
import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// The choice between answering a call on the caller's thread and on a worker.
@Suite struct InlineAnswerTests {
  private static let directory = SimulatedProcess.directory

  /// Creates a store of one subject's heart rates and steps, of which the last 20 are not sealed.
  private func database(_ disk: SimulatedDisk, sealed: Int = 300) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    let database = try Database(
      path: Self.directory, options: options, fileSystem: disk.process())
    for range in [0..<sealed, sealed..<sealed + 20] {
      let done = DispatchSemaphore(value: 0)
      let failure = Locked<(any Error)?>(nil)
      HKHealthStore(database: database, subject: "ada").save(samples(range)) { _, error in
        failure.withLock { $0 = error }
        done.signal()
      }
      done.wait()
      if let error = failure.withLock({ $0 }) { throw error }
      if range.lowerBound == 0 { try database.seal() }
    }
    return database
  }

  private func samples(_ range: Range<Int>) -> [HKQuantitySample] {
    range.flatMap { number in
      let start = testStart + Double(number) * 600
      return [
        HKQuantitySample(
          type: testHeartRate,
          quantity: HKQuantity(unit: testBeats, doubleValue: Double(60 + number % 50)),
          start: start, end: start),
        HKQuantitySample(
          type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 10), start: start,
          end: start + 600),
      ]
    }
  }

  private func newest(_ store: HKHealthStore) async throws -> Date? {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
    ).result(for: store).first?.startDate
  }

  /// Makes each call that may be answered inline, and checks the answers.
  private func ask(_ store: HKHealthStore, count: Int) async throws {
    #expect(try await newest(store) == testStart + Double(count - 1) * 600)
    let day = HKQuery.predicateForSamples(withStart: testStart, end: testStart + 86_400)
    let beats = try await store.read(
      .quantitySample(type: testHeartRate, predicate: day), sort: [SortDescriptor(\.startDate)])
    #expect(beats.count == 144)
    #expect(Set(beats.map(\.uuid)).count == 144)
    let sum = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: testSteps, predicate: day), options: .cumulativeSum
    ).result(for: store)
    #expect(sum?.sumQuantity()?.doubleValue(for: .count()) == 1440)
    let days = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: testSteps), options: .cumulativeSum,
      anchorDate: testStart, intervalComponents: DateComponents(hour: 24)
    ).result(for: store)
    #expect(days.statistics().count == 1 + (count - 1) / 144)
    let sources = try await HKSourceQueryDescriptor(
      predicate: .quantitySample(type: testHeartRate)
    ).result(for: store)
    #expect(sources.count == 1)
    let first = try await store.changes(after: nil)
    #expect(first.addedSamples.count == count)
    let next = try await store.changes(after: first.newAnchor)
    #expect(next.addedSamples.isEmpty)
  }

  /// Runs tasks on a single thread and returns the number of times that a task began or resumed.
  private func turns(
    tasks: Int = 1, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> Int {
    let executor = CountingExecutor()
    let all = (0..<tasks).map { _ in Task(executorPreference: executor) { try await body() } }
    for task in all { try await task.value }
    return executor.turnCount
  }

  @Test(.timeLimit(.minutes(60)))
  func `Sixty-four tasks on one thread are answered while a commit's sync stalls`() async throws {
    let disk = SimulatedDisk(isRecording: false)
    let (stalled, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isStalling = Locked(false)
    disk.beforeSync = {
      guard isStalling.withLock({ $0 }) else { return }
      stalled.signal()
      goesOn.wait()
    }
    let database = try database(disk)
    let store = HKHealthStore(database: database, subject: "ada")
    try await ask(store, count: 320)
    isStalling.withLock { $0 = true }
    let saving = Locked(true)
    let saved = DispatchSemaphore(value: 0)
    store.save(samples(320..<321)) { _, _ in
      saving.withLock { $0 = false }
      saved.signal()
    }
    await onThread { stalled.wait() }
    let turns = try await turns(tasks: 64) {
      try await ask(HKHealthStore(database: database, subject: "ada"), count: 320)
      try await ask(store, count: 320)
    }
    // No call suspended its task, so none waited for another thread.
    #expect(turns == 64)
    #expect(saving.withLock { $0 })
    isStalling.withLock { $0 = false }
    goesOn.signal()
    await onThread { saved.wait() }
    #expect(try await newest(store) == testStart + 320 * 600)
    try database.close()
  }

  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        body()
        continuation.resume()
      }
    }
  }

  @Test func `A worker reads more rows than the limit, without omissions`() async throws {
    let database = try database(
      SimulatedDisk(isRecording: false), sealed: InlineWork.maximumRows)
    let store = HKHealthStore(database: database, subject: "ada")
    let few = try await turns { _ = try await newest(store) }
    #expect(few == 1)
    let many = try await turns {
      let beats = try await store.beats()
      #expect(beats.count == InlineWork.maximumRows + 20)
    }
    #expect(many > 1)
    try database.close()
  }

  @Test func `A worker reads a file that is not in the page cache`() async throws {
    let disk = SimulatedDisk(isRecording: false)
    let database = try database(disk)
    let wasInline = Locked([Bool]())
    disk.beforeColdRead = { wasInline.withLock { $0.append(InlineWork.isActive) } }
    disk.hasColdCache = true
    let store = HKHealthStore(database: database, subject: "ada")
    try await ask(store, count: 320)
    #expect(wasInline.withLock { Set($0) } == [false])
    // The blocks are cached now.
    let warm = try await turns { _ = try await newest(store) }
    #expect(warm == 1)
    try database.close()
  }

  @Test func `A worker calls a program's own predicate and sort order`() async throws {
    let database = try database(SimulatedDisk(isRecording: false))
    let store = HKHealthStore(database: database, subject: "ada")
    let wasInline = Locked([Bool]())
    let predicate = NSPredicate { _, _ in
      wasInline.withLock { $0.append(InlineWork.isActive) }
      return true
    }
    _ = try await store.beats(predicate)
    #expect(wasInline.withLock { $0 } == Array(repeating: false, count: 320))
    let sorted = try await turns {
      let beats = try await store.read(
        .quantitySample(type: testHeartRate), sort: [SortDescriptor(\.uuid.uuidString)])
      #expect(beats.count == 320)
    }
    #expect(sorted > 1)
    try database.close()
  }

  @Test func `A cancelled task gets an error before any read`() async throws {
    let database = try database(SimulatedDisk(isRecording: false))
    let store = HKHealthStore(database: database, subject: "ada")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await newest(store)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try database.close()
    await #expect(throws: HKError.self) { try await newest(store) }
  }
}
