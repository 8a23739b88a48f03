import Foundation
import SampleLog

/// The cost of background delivery to one observer for the save that causes it, in a store with the
/// plan's first number of registrations and observers.
///
/// There are three stores with as many people: one without observers, one with an observer for each
/// person, and one in which background delivery of each observer's type is enabled as well. Saves
/// alternate among the stores, as for ``ObserverLoad``, and each is to the next person. In the last
/// two stores a save calls one observer, which acknowledges it before the next save begins.
package struct DeliveryLoad {
  private static let savesPerTurn = 10
  // The first saves meet cold caches and files that do not exist yet.
  private static let unmeasured = 2

  private let count: Int
  private let turns: Int
  private let repetitions: Int
  private let directory: String

  /// Prepares to measure the plan's first number of observers in the given number of turns of ten
  /// saves.
  package init(_ plan: PeerSession.Plan, turns: Int = 60) {
    count = plan.observers.first ?? 0
    self.turns = turns
    repetitions = plan.repetitions
    directory = "\(plan.directory)/healthstore-benchmark-delivery"
  }

  /// Measures durable saves, then buffered ones.
  package func measure() throws -> [Measurement] {
    if count == 0 { return [] }
    var results: [Measurement] = []
    for (durability, name) in [(Durability.durable, "durable"), (.buffered, "buffered")] {
      let rounds = try (0..<repetitions).map { _ in try round(durability) }
      func add(_ title: String, _ value: ([Double]) -> Double) {
        results.append(Measurement(title, "µs", .less, rounds.map(value)))
      }
      add("save to one of \(count) people, \(name), p50") { $0[0] }
      add("… whom an observer follows, above none") { $0[1] - $0[0] }
      add("… with background delivery, above none") { $0[2] - $0[0] }
    }
    return results
  }

  /// The medians of one repetition for each store, in microseconds.
  private func round(_ durability: Durability) throws -> [Double] {
    let stores = try [0, count, count].enumerated().map { number, observers in
      try ObservedStore(
        directory: "\(directory)-\(number)", observers: observers, subjects: count,
        durability: durability)
    }
    try stores[2].enableDelivery()
    for store in stores { _ = try store.start() }
    var latencies = [[Double]](repeating: [], count: stores.count)
    for turn in 0..<turns + Self.unmeasured {
      for (number, store) in stores.enumerated() {
        for _ in 0..<Self.savesPerTurn {
          let seconds = try store.saveObserved()
          if turn >= Self.unmeasured { latencies[number].append(seconds * 1e6) }
        }
      }
    }
    for store in stores {
      _ = store.stop()
      try store.close()
    }
    return latencies.map { $0.percentile(0.5) }
  }
}
