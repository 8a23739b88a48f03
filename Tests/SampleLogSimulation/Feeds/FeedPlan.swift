/// The plan of a simulated history, determined by a seed.
package struct FeedPlan: Hashable, Sendable {
  /// The behaviour of the store's clock.
  package enum Clock: Hashable, Sendable {
    case forward
    case still
    /// Jumps back and forth, by seconds or by years.
    case wild
  }

  package let seed: UInt64
  /// One number for each step, which determines it, so that steps can be removed individually.
  package var words: [UInt64]
  package var subscriberCount: Int
  package var sealRowCount: Int
  package var segmentRowCount: Int
  package var blockCacheByteCount: Int
  package var retention: Double
  /// The time for which registrations retain deletions, in seconds.
  package var deliveryRetention: Double
  package var clock: Clock
  /// A nested step occurs in one of this many file operations.
  package var nestingRarity: Int
  /// Whether logs are sealed and segments merged in the background.
  ///
  /// Only merging rewrites some segments and leaves older ones unchanged.
  package var isMerging = false

  /// Creates the plan of a seed, optionally with only the steps in `keep`.
  package init(seed: UInt64, keep: [Int]? = nil) {
    self.seed = seed
    var random = Seeded(seed &* 0xD134_2543_DE82_EF95 &+ 7)
    let count = 100 + random.drawn(below: 120)
    let words = (0..<count).map { _ in random.next() }
    self.words = keep.map { $0.compactMap { $0 < count ? words[$0] : nil } } ?? words
    subscriberCount = 1 + random.drawn(below: 5)
    sealRowCount = [10, 40, 150, 1_000_000][random.drawn(below: 4)]
    segmentRowCount = [60, 400, 1_000_000][random.drawn(below: 3)]
    blockCacheByteCount = [1, 1 << 20][random.drawn(below: 2)]
    retention = [0, 100, 100, 1e12][random.drawn(below: 4)]
    var other = Seeded(mixing: seed, 1)
    deliveryRetention = [0, 200, 1000, 1e12][other.drawn(below: 4)]
    clock = [.forward, .forward, .still, .wild][random.drawn(below: 4)]
    nestingRarity = [4, 12, 40][random.drawn(below: 3)]
    guard random.once(in: 3) else { return }
    isMerging = true
    sealRowCount = [1, 4, 10, 30][random.drawn(below: 4)]
    segmentRowCount = [40, 100, 400][random.drawn(below: 3)]
    retention = [0, 10, 50, 200][random.drawn(below: 4)]
    clock = [.forward, .forward, .forward, .wild][random.drawn(below: 4)]
  }
}
