import Foundation
import SampleLogSimulation

/// A run of many seeded histories, or a replay of one.
struct HistoryProof {
  static let options: Set<String> = [
    "--histories", "--seed", "--minutes", "--threads", "--replay", "--keep",
  ]

  /// Describes the options that all kinds of histories accept.
  static func usage(_ name: String, count: UInt64, more: String) -> String {
    """
    usage: Prove \(name) [--histories N] [--seed S] [--minutes M] [--threads N] [MORE]
           Prove \(name) --replay SEED [--keep 0,1,2] [MORE]

      --histories N  stop after N histories (\(count))
      --seed S       begin with this seed (0)
      --minutes M    stop after M minutes; without --histories, not before
      --threads N    run so many at once (as many as there are processors)
      --replay SEED  run one history
      --keep LIST    take only these of its steps
    \(more)
    """
  }

  let seed: UInt64
  private let histories: UInt64?
  private let minutes: Double?
  private let threads: Int
  private let replayed: UInt64?
  private let keep: [Int]?
  private let isLoud: Bool
  private let start = ContinuousClock.now

  init(_ arguments: Arguments) throws(UsageError) {
    seed = try arguments.number("--seed", in: 0 ... .max) ?? 0
    histories = try arguments.number("--histories", in: 0 ... .max)
    minutes = try arguments.number("--minutes", in: 0...1e6)
    threads =
      try arguments.number("--threads", in: 1...64)
      ?? ProcessInfo.processInfo.activeProcessorCount
    replayed = try arguments.number("--replay", in: 0 ... .max)
    keep = arguments["--keep"]?.split(separator: ",").compactMap { Int($0) }
    isLoud = arguments.has("--loud")
  }

  /// The time since the run began, in whole seconds.
  var seconds: Int { Int((ContinuousClock.now - start) / .seconds(1)) }

  /// Returns whether every history satisfies every property.
  func run<Kind: ProvenHistory>(_ kind: Kind.Type) -> Bool {
    if let replayed {
      let breaches = kind.history(replayed, keep: keep, isLoud: isLoud).breaches
      for breach in breaches { print(breach) }
      print(breaches.isEmpty ? "Nothing is wrong." : "\(breaches.count) breaches.")
      return breaches.isEmpty
    }
    let runs = NumberedRuns<Kind.Figures, Failure>(threads: threads, sum: kind.none)
    do throws(Failure) {
      try runs.run {
        isWanted($0, of: kind.count)
      } _: { number throws(Failure) in
        let (breaches, add) = kind.history(seed &+ number, keep: nil, isLoud: false)
        guard breaches.isEmpty else { throw Failure(seed: seed &+ number, breaches: breaches) }
        return add
      }
    } catch {
      report(error, kind)
      return false
    }
    print(kind.text(runs.done.sum, runs.done.count, self))
    return true
  }

  private func isWanted(_ done: UInt64, of count: UInt64) -> Bool {
    if let minutes, ContinuousClock.now - start >= .seconds(minutes * 60) { return false }
    return done < histories ?? (minutes == nil ? count : .max)
  }

  private struct Failure: Error {
    var seed: UInt64
    var breaches: [String]
  }

  private func report(_ failure: Failure, _ kind: any ProvenHistory.Type) {
    print("Seed \(failure.seed) fails:")
    for breach in failure.breaches.prefix(5) { print("  \(breach.prefix(2000))") }
    let (kept, count) = kind.smallest(failure.seed)
    print("\(kept.count) of \(count) steps suffice. To see it again:")
    print(
      "  swift run -c release Prove \(kind.name) --replay \(failure.seed) --keep "
        + kept.map(String.init).joined(separator: ","))
  }
}
