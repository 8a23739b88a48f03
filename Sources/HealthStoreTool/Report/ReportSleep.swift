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
    var asleep = 0.0
    /// By value, also where others overlap it; nil where nothing has the value.
    var values: [HKCategoryValueSleepAnalysis: Double] = [:]
    /// Asleep without a stage; nil for none.
    var unstaged: Double?
    /// The same without overlaps, in the order of a drawing.
    var parts: [(style: String, seconds: Double)] = []

    var isEmpty: Bool { values.isEmpty }
  }

  /// The stages with their names and styles, in the order of a drawing.
  static let stages: [(value: HKCategoryValueSleepAnalysis, name: String, style: String)] = [
    (.asleepDeep, "Deep", "deep"), (.asleepCore, "Core", "core"), (.asleepREM, "REM", "rem"),
  ]

  /// Sleep that is interrupted for less goes on.
  private static let longestBreak = 7200.0

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
  /// Sleep belongs to the day on which it ends: a night to the morning, a nap to its own day. What
  /// a day has never exceeds its length.
  func days(_ days: ReportDays) -> [Day] {
    let midnights = (days.starts + [days.end]).map(\.timeIntervalSinceReferenceDate)
    var limits = midnights
    let sessions = all.joined(within: Self.longestBreak)
    for (index, midnight) in midnights.enumerated() {
      guard
        let night = sessions.first(where: { $0.lowerBound < midnight && midnight < $0.upperBound })
      else { continue }
      // What began before noon cannot all be the next day's.
      limits[index] = max(night.lowerBound, midnight - 43_200)
    }
    for index in (0..<days.count).reversed() {
      let length = midnights[index + 1] - midnights[index]
      if all.clamped(to: limits[index]..<limits[index + 1]).seconds > length {
        limits[index] = max(limits[index], limits[index + 1] - length)
      }
    }
    return (0..<days.count).map { day(in: limits[$0]..<limits[$0 + 1]) }
  }

  private func day(in limits: Range<Double>) -> Day {
    var day = Day()
    for (value, time) in times {
      let seconds = time.clamped(to: limits).seconds
      if seconds > 0 { day.values[value] = seconds }
    }
    let asleep = asleep.clamped(to: limits)
    day.asleep = asleep.seconds
    var drawn = TimeSet()
    func draw(_ time: TimeSet, _ style: String) -> Double {
      let seconds = time.subtracting(drawn).seconds
      if seconds > 0 { day.parts.append((style, seconds)) }
      drawn = drawn.union(time)
      return seconds
    }
    for stage in Self.stages {
      if let time = times[stage.value] { _ = draw(time.clamped(to: limits), stage.style) }
    }
    let unstaged = draw(asleep, "asleep")
    day.unstaged = unstaged > 0 ? unstaged : nil
    if let awake = times[.awake] { _ = draw(awake.clamped(to: limits), "awake") }
    return day
  }
}
