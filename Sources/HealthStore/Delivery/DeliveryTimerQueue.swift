import SampleLog

/// A timer queue: a binary heap of series, ordered by time.
struct DeliveryTimerQueue {
  private var items: [(time: Double, key: SeriesKey)] = []

  /// The time of the earliest timer.
  var next: Double? { items.first?.time }

  var count: Int { items.count }

  mutating func add(_ time: Double, _ key: SeriesKey) {
    items.append((time, key))
    var child = items.count - 1
    while child > 0, items[child].time < items[(child - 1) / 2].time {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the earliest timer if it is due.
  mutating func removeFirst(by now: Double) -> SeriesKey? {
    guard let first = items.first, first.time <= now else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return first.key }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child].time < items[least].time {
        least = child
      }
      if least == parent { return first.key }
      items.swapAt(parent, least)
      parent = least
    }
  }
}
