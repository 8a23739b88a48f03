import Foundation
import SampleLog

/// The cost of other people's observers for a save to a person without an observer, and the time
/// for observers to start and to stop.
///
/// There is a separate store for each number of observers, including none, and all are open at
/// once. Saves alternate among them, in an order that changes with each turn, so that a slow phase
/// of the machine affects all of them. A turn is ten saves, so that cache contents of another store
/// affect the first one and not the median.
package struct ObserverLoad {
  private static let savesPerTurn = 10

  private let counts: [Int]
  private let turns: Int
  private let repetitions: Int
  private let directory: String

  /// Prepares to measure the plan's numbers of observers in the given number of turns of ten saves.
  package init(_ plan: PeerSession.Plan, turns: Int = 30) {
    counts = [0] + plan.observers
    self.turns = turns
    repetitions = plan.repetitions
    directory = "\(plan.directory)/healthstore-benchmark-observers"
  }

  /// The results of one repetition, by position in ``counts``.
  private struct Round {
    /// The median of the saves, in microseconds.
    var saves: [Double] = []
    /// The starts, in milliseconds.
    var starts: [Double] = []
    var stops: [Double] = []
    var threads: Int?
  }

  /// Measures durable saves, then buffered ones, which show the processor's part.
  package func measure() throws -> [Measurement] {
    var results: [Measurement] = []
    var all: [Round] = []
    for (durability, name) in [(Durability.durable, "durable"), (.buffered, "buffered")] {
      let rounds = try (0..<repetitions).map { _ in try round(durability) }
      all += rounds
      results.append(
        Measurement("save beside no observers, \(name), p50", "µs", .less, rounds.map(\.saves[0])))
      for (position, count) in counts.enumerated().dropFirst() {
        results.append(
          Measurement("… beside \(count) of others", "µs", .less, rounds.map(\.saves[position])))
        results.append(
          Measurement(
            "… times none", "×", .less, rounds.map { $0.saves[position] / $0.saves[0] }))
      }
    }
    for (position, count) in counts.enumerated().dropFirst() {
      results.append(
        Measurement("start of \(count) observers", "ms", .less, all.map(\.starts[position])))
      results.append(Measurement("… stop", "ms", .less, all.map(\.stops[position])))
    }
    let threads = all.compactMap(\.threads).map(Double.init)
    if !threads.isEmpty {
      results.append(Measurement("… most threads meanwhile", "threads", .less, threads))
    }
    return results
  }

  private func round(_ durability: Durability) throws -> Round {
    let stores = try counts.map { count in
      try ObservedStore(
        directory: "\(directory)-\(count)", observers: count, durability: durability)
    }
    var round = Round()
    var peak = ThreadPeak()
    round.starts = try stores.map { try $0.start() * 1e3 }
    round.threads = peak.end()
    round.saves = try saves(stores)
    for store in stores { try store.checkCalls() }
    peak = ThreadPeak()
    round.stops = stores.map { $0.stop() * 1e3 }
    let threads = peak.end()
    round.threads = round.threads.map { max($0, threads ?? 0) }
    for store in stores { try store.close() }
    return round
  }

  /// The median of the saves to each store, in microseconds.
  private func saves(_ stores: [ObservedStore]) throws -> [Double] {
    var random = SplitMix(seed: 44)
    var order = Array(stores.indices)
    var latencies = [[Double]](repeating: [], count: stores.count)
    // The first saves meet cold caches and files that do not exist yet.
    let unmeasured = 2
    for turn in 0..<turns + unmeasured {
      for last in order.indices.reversed() {
        order.swapAt(last, Int(random.next() % UInt64(last + 1)))
      }
      for position in order {
        for _ in 0..<Self.savesPerTurn {
          let seconds = try stores[position].save()
          if turn >= unmeasured { latencies[position].append(seconds * 1e6) }
        }
      }
    }
    return latencies.map { $0.percentile(0.5) }
  }
}
