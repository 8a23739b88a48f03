/// A FIFO of samples for each of the next 51,840 ticks.
///
/// A ring of lists whose links are in one pool: filling the ring allocates nothing per sample.
struct HeldSamples {
  /// The maximum delay of a sample, in ticks.
  static let longestDelay = 51_840

  private static let slots = longestDelay + 1
  private var pool: [(sample: StreamSample, next: Int32)] = []
  private var free: Int32 = -1
  private var heads = [Int32](repeating: -1, count: slots)
  private var memTables = [Int32](repeating: -1, count: slots)
  private var now = 0

  /// Advances to the next tick, after `release` has emptied this one.
  mutating func advance() {
    now = now + 1 == Self.slots ? 0 : now + 1
  }

  /// Delays a sample by 1 to 51,840 ticks.
  mutating func hold(_ sample: StreamSample, ticks: Int) {
    let node: Int32
    if free >= 0 {
      node = free
      free = pool[Int(node)].next
      pool[Int(node)] = (sample, -1)
    } else {
      node = Int32(pool.count)
      pool.append((sample, -1))
    }
    let slot = now + ticks < Self.slots ? now + ticks : now + ticks - Self.slots
    if heads[slot] < 0 {
      heads[slot] = node
    } else {
      pool[Int(memTables[slot])].next = node
    }
    memTables[slot] = node
  }

  /// Removes and returns the next sample of this tick.
  @inline(__always)
  mutating func release() -> StreamSample? {
    let node = heads[now]
    guard node >= 0 else { return nil }
    let (sample, next) = pool[Int(node)]
    heads[now] = next
    pool[Int(node)].next = free
    free = node
    return sample
  }
}
