import Foundation
import HealthStore

/// The time of one subject's sleep, by what was recorded.
///
/// Sources record the same night in several ways: as stages, as a total, as time in bed. Each
/// figure is the union of what it is about, so that a night counts once.
struct ReportSleep {
  /// The figures of a day, in seconds.
  struct Day {
    /// With any value that means sleep.
    var asleep: Double
    /// By value, also where others overlap it; nil where nothing has the value.
    var values: [HKCategoryValueSleepAnalysis: Double] = [:]
    /// Asleep without a stage; nil for none.
    var unstaged: Double?
    /// Asleep and awake without overlaps, in the order of a drawing.
    var parts: [(style: String, seconds: Double)] = []

    fileprivate var awake = TimeSet()

    var isEmpty: Bool { values.isEmpty }
  }

  /// The stages with their names and styles, in the order of a drawing.
  static let stages: [(value: HKCategoryValueSleepAnalysis, name: String, style: String)] = [
    (.asleepDeep, "Deep", "deep"), (.asleepCore, "Core", "core"), (.asleepREM, "REM", "rem"),
  ]

  /// Sleep that is interrupted for no longer goes on.
  private static let longestBreak = 7200.0
  /// The distance from a day within which samples decide what belongs to it, in seconds.
  static let reach = 129_600.0

  private var times: [HKCategoryValueSleepAnalysis: TimeSet] = [:]
  private let asleep: TimeSet
  private let all: TimeSet

  init(_ samples: [HKCategorySample]) {
    let byValue = Dictionary(grouping: samples) {
      HKCategoryValueSleepAnalysis(rawValue: $0.value)
    }
    for case (let value?, let samples) in byValue {
      times[value] = TimeSet(
        samples.lazy.map { DateInterval(start: $0.startDate, end: $0.endDate).seconds })
    }
    asleep = TimeSet(
      HKCategoryValueSleepAnalysis.allAsleepValues.flatMap { [times] in
        times[$0]?.intervals ?? []
      })
    all = TimeSet(times.values.flatMap(\.intervals))
  }

  /// The figures of days.
  ///
  /// A night belongs to the day on which it ends, and a nap to its own. Sleep says which is which,
  /// and time in bed goes with the sleep that follows. A day's figures depend on samples near it
  /// only, not on the days that are asked for, and none exceeds the day's length.
  func days(_ days: ReportDays) -> [Day] {
    let midnights =
      (days.starts + [days.end, ReportDays.next(days.end, by: 1, days.zone.calendar)])
      .map(\.timeIntervalSinceReferenceDate)
    let sleeps = asleep.joined(within: Self.longestBreak)
    let sessions = all.joined(within: Self.longestBreak)
    let nights = midnights.dropLast().map { Self.night(before: $0, sleeps, sessions) }
    func limits(_ time: TimeSet) -> [Range<Double>] {
      let starts = nights.enumerated().map { index, night in
        time.start(
          of: midnights[index + 1] - midnights[index], from: night, to: midnights[index + 1])
      }
      return zip(starts, starts.dropFirst()).map { $0..<$1 }
    }
    let ofSleep = limits(asleep)
    var found = ofSleep.map { Day(asleep: asleep.clamped(to: $0).seconds) }
    for (value, time) in times {
      let limits =
        HKCategoryValueSleepAnalysis.allAsleepValues.contains(value) ? ofSleep : limits(time)
      for index in found.indices {
        let part = time.clamped(to: limits[index])
        if part.seconds > 0 { found[index].values[value] = part.seconds }
        if value == .awake { found[index].awake = part }
      }
    }
    for index in found.indices {
      draw(&found[index], in: ofSleep[index], of: midnights[index + 1] - midnights[index])
    }
    return found
  }

  /// Returns the start of the night that ends after a midnight, or the midnight without one.
  private static func night(
    before midnight: Double, _ sleeps: [Range<Double>], _ sessions: [Range<Double>]
  ) -> Double {
    func isNight(_ range: Range<Double>) -> Bool {
      range.lowerBound < midnight && midnight < range.upperBound
    }
    let asleep = sleeps.first(where: isNight)?.lowerBound ?? midnight
    let start = sessions.first(where: isNight)?.lowerBound ?? midnight
    // A nap before it keeps its day.
    let nap = sleeps.last { $0.upperBound <= asleep && $0.lowerBound < asleep }?.upperBound
    // What began before noon cannot all be the next day's.
    return max(start, nap ?? start, midnight - 43_200)
  }

  /// Makes the parts of a day's bar.
  private func draw(_ day: inout Day, in limits: Range<Double>, of length: Double) {
    var drawn = TimeSet()
    func draw(_ time: TimeSet, _ style: String) -> Double {
      let new = time.subtracting(drawn).prefix(seconds: length - drawn.seconds)
      if new.seconds > 0 { day.parts.append((style, new.seconds)) }
      drawn = drawn.union(new)
      return new.seconds
    }
    for stage in Self.stages {
      if let time = times[stage.value] { _ = draw(time.clamped(to: limits), stage.style) }
    }
    let unstaged = draw(asleep.clamped(to: limits), "asleep")
    day.unstaged = unstaged > 0 ? unstaged : nil
    _ = draw(day.awake, "awake")
  }
}

extension TimeSet {
  /// The first moment of an interval behind which the set has no more than so many seconds of it.
  fileprivate func start(of seconds: Double, from start: Double, to end: Double) -> Double {
    let inside = clamped(to: start..<end)
    var excess = inside.seconds - seconds
    for interval in inside.intervals where excess > 0 {
      let length = interval.upperBound - interval.lowerBound
      if length >= excess { return interval.lowerBound + excess }
      excess -= length
    }
    return start
  }
}
