import Foundation

/// The pauses of a workout according to its events: from each `pause` to the next `resume`.
struct WorkoutPauses {
  private(set) var pauses: [(start: Date, end: Date)] = []

  init(_ events: [HKWorkoutEvent]) {
    var start: Date?
    for event in events.sorted(by: { $0.date < $1.date }) {
      switch event.type {
      case .pause where start == nil: start = event.date
      case .resume:
        if let paused = start { pauses.append((paused, event.date)) }
        start = nil
      default: break
      }
    }
    // The last pause was not resumed.
    if let start { pauses.append((start, .distantFuture)) }
  }

  /// Returns the time between two dates without pauses, in seconds, or 0 if the end is before the
  /// start.
  func activeTime(from start: Date, to end: Date) -> TimeInterval {
    let paused = pauses.reduce(0) { sum, pause in
      sum + max(0, min(pause.end, end).timeIntervalSince(max(pause.start, start)))
    }
    return max(0, end.timeIntervalSince(start) - paused)
  }
}
