import Foundation
import HealthStore

/// The sleep of one subject, by recorded value.
///
/// Sources record the same night in several ways: as stages, as a total, as time in bed. Each time
/// is the union of the samples with its values, so a night counts once.
struct ReportSleep {
  /// The sleep of a day, in seconds.
  struct Day {
    /// The time with any of the values that mean sleep.
    var asleep: Double
    /// The time by value, including overlaps with other values; nil for values without samples.
    var values: [HKCategoryValueSleepAnalysis: Double] = [:]
    /// The time asleep without a stage, or nil if there is none.
    var unstaged: Double?
    /// The time asleep and awake without overlaps, in drawing order.
    var parts: [(style: String, seconds: Double)] = []

    fileprivate var awake = TimeSet()

    var isEmpty: Bool { values.isEmpty }
  }

  /// The stages with their names and styles, in drawing order.
  static let stages: [(value: HKCategoryValueSleepAnalysis, name: String, style: String)] = [
    (.asleepDeep, "Deep", "deep"), (.asleepCore, "Core", "core"), (.asleepREM, "REM", "rem"),
  ]

  /// The longest interruption that does not end a sleep, in seconds.
  private static let longestBreak = 7200.0
  /// The maximum distance from a day of samples that affect its sleep, in seconds.
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

  /// Returns the sleep of days.
  ///
  /// A night belongs to the day on which it ends, and a nap to its own day. Samples of sleep
  /// distinguish nights from naps, and time in bed belongs to the sleep that follows. The sleep of
  /// a day depends only on samples within ``reach`` of it, not on the requested days, and no time
  /// exceeds the length of the day.
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

  /// Returns the start of the night that spans a midnight, or the midnight if there is none.
  private static func night(
    before midnight: Double, _ sleeps: [Range<Double>], _ sessions: [Range<Double>]
  ) -> Double {
    func isNight(_ range: Range<Double>) -> Bool {
      range.lowerBound < midnight && midnight < range.upperBound
    }
    let asleep = sleeps.first(where: isNight)?.lowerBound ?? midnight
    let start = sessions.first(where: isNight)?.lowerBound ?? midnight
    // A nap before the night stays on its own day.
    let nap = sleeps.last { $0.upperBound <= asleep && $0.lowerBound < asleep }?.upperBound
    // Sleep before noon always belongs to its own day.
    return max(start, nap ?? start, midnight - 43_200)
  }

  /// Computes the parts of a day's bar.
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
  /// Returns the earliest time in an interval after which the set has at most a number of seconds.
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
