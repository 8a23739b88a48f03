import Foundation
import SampleLog

/// What background delivery to one observer costs the save that it is for, with as many
/// registrations and observers in the store as the plan says at first.
///
/// There are two stores, one without observers and one with an observer, and a registration, for
/// each of so many people. They are saved to in turn, as for ``ObserverLoad``; each save to the
/// second one is a change that one observer is called for and acknowledges.
package struct DeliveryLoad {
  private static let savesPerTurn = 10
  // The first ones meet caches that are empty and files that have yet to be made.
  private static let unmeasured = 2

  private let count: Int
  private let turns: Int
  private let repetitions: Int
  private let directory: String

  /// Prepares to measure with the plan's first number of observers, each in so many turns of ten
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
      results.append(
        Measurement(
          "save delivered to one of \(count) observers, \(name), p50", "µs", .less,
          rounds.map(\.delivered)))
      results.append(
        Measurement("… above none", "µs", .less, rounds.map { $0.delivered - $0.none }))
    }
    return results
  }

  /// The medians of one repetition, in microseconds.
  private func round(_ durability: Durability) throws -> (none: Double, delivered: Double) {
    let none = try ObservedStore(
      directory: "\(directory)-none", observers: 0, durability: durability)
    let delivered = try ObservedStore(
      directory: "\(directory)-one", observers: count, persons: count, durability: durability)
    try delivered.enableDelivery()
    _ = try delivered.start()
    var latencies: (none: [Double], delivered: [Double]) = ([], [])
    for turn in 0..<turns + Self.unmeasured {
      for _ in 0..<Self.savesPerTurn {
        let seconds = try none.save()
        if turn >= Self.unmeasured { latencies.none.append(seconds * 1e6) }
      }
      for _ in 0..<Self.savesPerTurn {
        let seconds = try delivered.saveFollowed()
        if turn >= Self.unmeasured { latencies.delivered.append(seconds * 1e6) }
      }
    }
    _ = delivered.stop()
    try none.close()
    try delivered.close()
    return (latencies.none.percentile(0.5), latencies.delivered.percentile(0.5))
  }
}
