/// The times at which commits became durable that the stream has not confirmed yet.
struct LagMarks {
  private struct Mark {
    var last: UInt64
    var time: Double
  }

  /// The interval within which times share a mark, in seconds.
  private static let resolution = 0.001
  /// The maximum number of marks, at which pairs of marks are merged.
  private static let limit = 1024

  private var marks: [Mark] = []
  private var head = 0

  /// Records that everything up to a sequence number is durable.
  mutating func add(_ last: UInt64, at time: Double) {
    if head < marks.count, let newest = marks.last, time - newest.time < Self.resolution {
      marks[marks.count - 1].last = max(newest.last, last)
      return
    }
    if marks.count == Self.limit { shorten() }
    marks.append(Mark(last: last, time: time))
  }

  /// Removes the marks of commits that the stream has confirmed.
  mutating func confirm(_ last: UInt64) {
    while head < marks.count, marks[head].last <= last { head += 1 }
    if head == marks.count { (marks, head) = ([], 0) }
  }

  /// Returns the age of the oldest unconfirmed durable commit in seconds; 0 if there is none.
  func seconds(at time: Double) -> Double {
    head < marks.count ? max(0, time - marks[head].time) : 0
  }

  private mutating func shorten() {
    let rest = Array(marks[head...])
    guard head < Self.limit / 2 else { return (marks, head) = (rest, 0) }
    // Each pair keeps its earlier time, so that the lag is never understated.
    marks = stride(from: 0, to: rest.count, by: 2).map { index in
      Mark(last: rest[min(index + 1, rest.count - 1)].last, time: rest[index].time)
    }
    head = 0
  }
}
