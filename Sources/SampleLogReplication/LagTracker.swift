/// The times at which commits became durable that the stream has not confirmed yet.
struct LagTracker {
  private struct Entry {
    var last: UInt64
    var time: Double
  }

  /// The interval within which times share an entry, in seconds.
  private static let resolution = 0.001
  /// The maximum number of entries, at which pairs of entries are merged.
  private static let limit = 1024

  private var entries: [Entry] = []
  private var head = 0

  /// Records that everything up to a sequence number is durable.
  mutating func add(_ last: UInt64, at time: Double) {
    if head < entries.count, let newest = entries.last, time - newest.time < Self.resolution {
      entries[entries.count - 1].last = max(newest.last, last)
      return
    }
    if entries.count == Self.limit { shorten() }
    entries.append(Entry(last: last, time: time))
  }

  /// Removes the entries of commits that the stream has confirmed.
  mutating func confirm(_ last: UInt64) {
    while head < entries.count, entries[head].last <= last { head += 1 }
    if head == entries.count { (entries, head) = ([], 0) }
  }

  /// Returns the age of the oldest unconfirmed durable commit in seconds; 0 if there is none.
  func seconds(at time: Double) -> Double {
    head < entries.count ? max(0, time - entries[head].time) : 0
  }

  private mutating func shorten() {
    let rest = Array(entries[head...])
    guard head < Self.limit / 2 else { return (entries, head) = (rest, 0) }
    // Each pair keeps its earlier time, so that the lag is never understated.
    entries = stride(from: 0, to: rest.count, by: 2).map { index in
      Entry(last: rest[min(index + 1, rest.count - 1)].last, time: rest[index].time)
    }
    head = 0
  }
}
