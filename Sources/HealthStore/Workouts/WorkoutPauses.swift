import Foundation

/// When a workout was paused, as its events say: from each `pause` to the next `resume`.
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
    // It was never resumed.
    if let start { pauses.append((start, .distantFuture)) }
  }

  /// The seconds between two dates without pauses; 0 when they are in the wrong order.
  func activeTime(from start: Date, to end: Date) -> TimeInterval {
    let paused = pauses.reduce(0) { sum, pause in
      sum + max(0, min(pause.end, end).timeIntervalSince(max(pause.start, start)))
    }
    return max(0, end.timeIntervalSince(start) - paused)
  }
}
