import BenchmarkKit

/// Random numbers that a seed determines.
struct Dice {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// A number from 0 up to a bound.
  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  mutating func next() -> UInt64 { random.next() }

  /// Some of the numbers below a bound, at least one.
  mutating func subset(of bound: Int) -> [Int] {
    let chosen = (0..<bound).filter { _ in below(2) == 0 }
    return chosen.isEmpty ? [below(bound)] : chosen
  }
}
