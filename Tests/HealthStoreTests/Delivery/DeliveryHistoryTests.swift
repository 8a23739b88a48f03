import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Random histories of saves, acknowledgements, failures, crashes and resets under a manual clock.
@Suite struct DeliveryHistoryTests {
  /// The state of a history.
  private struct Run {
    var test: DeliveryStore
    var observer: RecordingObserver
    /// The log's end at the first sight of each call of the observer.
    var ends: [UInt64] = []
    var saves: [UInt64] = []
    /// The sequence number through which the observer has acknowledged changes.
    var handled: UInt64 = 0

    /// Records the log's end for new calls.
    mutating func look() {
      let count = observer.count
      while ends.count < count { ends.append(test.database.end) }
    }

    mutating func replaceObserver() {
      observer = RecordingObserver(test.store)
      ends = []
      look()
    }

    /// Whether every acknowledged change, in memory and in the log, was handled by the observer.
    func isHonest() throws -> Bool {
      let acknowledged = [try test.known?.sequence ?? 0, try test.logged?.sequence ?? 0]
      return !saves.contains { $0 > handled && $0 <= acknowledged.max() ?? 0 }
    }
  }

  @Test(arguments: 0..<40)
  func `Nothing is acknowledged unhandled, and everything is eventually delivered`(
    seed: UInt64
  ) async throws {
    var random = Seeded(mixing: seed)
    let frequencies: [HKUpdateFrequency] = [.immediate, .immediate, .hourly, .daily]
    let frequency = frequencies[random.drawn(below: frequencies.count)]
    let test = try DeliveryStore()
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: frequency)
    var run = Run(test: test, observer: RecordingObserver(test.store))
    run.look()
    for _ in 0..<60 {
      switch random.drawn(below: 16) {
      case 0..<5:
        try run.test.save()
        run.saves.append(run.test.database.end)
      case 5..<9:
        guard !run.ends.isEmpty else { break }
        // The last call in most cases.
        let number = random.once(in: 3) ? random.drawn(below: run.ends.count) : run.ends.count - 1
        run.handled = max(run.handled, run.ends[number])
        run.observer.acknowledge(number + 1)
      case 9..<13:
        let seconds = [0.5, 1, 30, 60, 120, 3600, 90_000]
        run.test.clock.advance(by: seconds[random.drawn(below: seconds.count)])
      case 13:
        run.observer.stop()
        run.replaceObserver()
      case 14:
        let old = run.observer
        if random.once(in: 2) { run.test = try run.test.crash() } else { try run.test.restart() }
        old.stop()
        run.replaceObserver()
      default:
        try await run.test.store.resetBackgroundDelivery(for: testHeartRate)
      }
      run.look()
      let isHonest = try run.isHonest()
      #expect(isHonest)
    }
    try await settle(run)
  }

  /// Acknowledges everything.
  ///
  /// Afterwards nothing is left to deliver, even in the next process.
  private func settle(_ run: Run) async throws {
    run.observer.stop()
    let observer = RecordingObserver(run.test.store, acknowledges: true)
    try await run.test.store.resetBackgroundDelivery(for: testHeartRate)
    for _ in 0..<3 {
      run.test.clock.advance(by: 700_000)
      observer.settle()
    }
    let test = try run.test.crash()
    let registration = try #require(try test.logged)
    let isBehind = test.database.snapshot().isBehind(registration, test.key)
    #expect(!isBehind)
    #expect(registration.failureCount == 0)
    #expect(!registration.isStopped)
    observer.stop()
  }
}
