import BenchmarkKit

/// Random numbers determined by a seed.
struct Dice {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// A number in `0 ..< bound`.
  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  mutating func next() -> UInt64 { random.next() }

  /// A non-empty subset of the numbers below a bound.
  mutating func subset(of bound: Int) -> [Int] {
    let chosen = (0..<bound).filter { _ in below(2) == 0 }
    return chosen.isEmpty ? [below(bound)] : chosen
  }
}
