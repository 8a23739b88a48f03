import Foundation
import Synchronization

/// The times of calls that several tasks made at once.
struct CallTimes: Sendable {
  /// In microseconds.
  var latencies: [Double] = []
  /// The calls per second of all tasks.
  var rate = 0.0
}

/// Tasks that repeat one call, each time for a random person.
struct CallRounds {
  let store: any CallStore
  let subjects: Int
  /// The number of calls of all tasks.
  let count: Int

  /// Makes the calls from a number of concurrent tasks.
  func measure(_ call: Call, tasks: Int) throws -> CallTimes {
    try blocking {
      try await withThrowingTaskGroup(of: [Double].self) { group in
        let clients = try (0..<tasks).map { _ in Sent(try store.client()) }
        // The first calls fill caches.
        for client in clients { _ = try await Self.make(call, client, subjects, 3, seed: 1) }
        let watch = Stopwatch()
        for (number, client) in clients.enumerated() {
          let (subjects, each) = (subjects, max(1, count / tasks))
          group.addTask {
            try await Self.make(call, client, subjects, each, seed: UInt64(number + 2))
          }
        }
        var times = CallTimes()
        for try await latencies in group { times.latencies += latencies }
        times.rate = Double(times.latencies.count) / watch.seconds
        return times
      }
    }
  }

  private static func make(
    _ call: Call, _ client: Sent, _ subjects: Int, _ count: Int, seed: UInt64
  ) async throws -> [Double] {
    var random = SplitMix(seed: seed)
    var latencies: [Double] = []
    latencies.reserveCapacity(count)
    for _ in 0..<count {
      let subject = Int(random.next() % UInt64(subjects))
      let watch = Stopwatch()
      _ = try await client.client.make(call, for: subject)
      latencies.append(watch.seconds * 1e6)
    }
    return latencies
  }

  /// Runs a function beside a task that saves continuously, and also returns its saves per second.
  func besideSaver<Result>(_ body: () throws -> Result) throws -> (Result, rate: Double) {
    let isOver = Shared(Atomic(false))
    let saved = Shared(Atomic(0))
    let client = Sent(try store.client())
    let subjects = subjects
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      var random = SplitMix(seed: 99)
      while !isOver.value.load(ordering: .relaxed) {
        let subject = Int(random.next() % UInt64(subjects))
        do {
          _ = try await client.client.make(.save, for: subject)
          saved.value.wrappingAdd(1, ordering: .relaxed)
        } catch {
          printError("a saver failed: \(error)")
          break
        }
      }
      done.signal()
    }
    let watch = Stopwatch()
    defer {
      isOver.value.store(true, ordering: .relaxed)
      done.wait()
    }
    let result = try body()
    return (result, Double(saved.value.load(ordering: .relaxed)) / watch.seconds)
  }

  /// A client, which is used by one task at a time.
  private struct Sent: @unchecked Sendable {
    let client: any CallClient

    init(_ client: any CallClient) { self.client = client }
  }

  private final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }
}
