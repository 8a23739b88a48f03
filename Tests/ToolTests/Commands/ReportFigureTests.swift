import Foundation
import HealthStore
import SampleLogSimulation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import HealthStoreTool

/// Compares the figures of a report with counting minutes one by one.
@Suite struct ReportFigureTests {
  private static let utc = ZoneCalendar(.gmt)

  private func rows(_ path: String, _ options: [String] = []) throws -> [[String]] {
    let run = try ToolProcess.run(["report", "--store", path, "-"] + options)
    #expect(run.status == 0, "\(run.error)")
    return try PageRows.parse(run.out)
  }

  @Test func `Stages and a total of one night count once`() throws {
    let folder = try TestFolder()
    let rows = try rows(folder.makeStore(ofCase: "sleep-stages-and-total"))
    #expect(
      rows.contains([
        "2026-03-02", "7 h 00 min", "1 h 00 min", "3 h 00 min", "3 h 00 min", "7 h 25 min",
      ]), "\(rows)")
    #expect(rows.contains(["Day", "Asleep", "Deep", "Core", "REM", "In bed"]))
  }

  @Test func `The last night and naps are counted on the day on which they end`() throws {
    let folder = try TestFolder()
    let rows = try rows(folder.makeStore(ofCase: "nap"))
    let sleep = rows.filter { $0.count > 1 && $0[1].hasSuffix(" min") }.map { Array($0.prefix(2)) }
    #expect(sleep == [["2026-03-02", "8 h 30 min"], ["2026-03-03", "8 h 00 min"]])
    #expect(rows.contains { $0.first == "2026-03-02" && $0.last == "1 h 30 min" })
  }

  private func sleep(_ start: String, _ end: String, _ value: String = "AsleepCore") -> String {
    """
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="W" \
    startDate="2026-03-\(start):00 +0000" endDate="2026-03-\(end):00 +0000" \
    value="HKCategoryValueSleepAnalysis\(value)"/>

    """
  }

  @Test(arguments: [
    // A nap across noon, and a night with a break of an hour before midnight.
    ([("01 11:30", "01 12:30")], ["2026-03-01": "1 h 00 min"]),
    ([("01 21:30", "01 23:00"), ("02 00:15", "02 06:00")], ["2026-03-02": "7 h 15 min"]),
    // A nap in the evening, hours before the night.
    (
      [("01 18:00", "01 19:00"), ("01 23:00", "02 07:00")],
      ["2026-03-01": "1 h 00 min", "2026-03-02": "8 h 00 min"]
    ),
    // Sleep during the day, and sleep that ends at midnight.
    ([("01 08:00", "01 16:00")], ["2026-03-01": "8 h 00 min"]),
    ([("01 20:00", "02 00:00")], ["2026-03-01": "4 h 00 min"]),
    // A sample that covers two days.
    ([("01 00:00", "03 00:00")], ["2026-03-01": "24 h 00 min", "2026-03-02": "24 h 00 min"]),
  ])
  func `Sleep belongs to exactly one day`(
    spans: [(String, String)], expected: [String: String]
  ) throws {
    let folder = try TestFolder()
    let rows = try rows(
      folder.makeStore(elements: spans.map { sleep($0.0, $0.1) }.joined()))
    let found = rows.filter { $0.count > 1 && $0[1].hasSuffix(" min") && $0[0].hasPrefix("2026") }
    #expect(
      Dictionary(found.map { ($0[0], $0[1]) }) { first, _ in first } == expected, "\(found)")
  }

  @Test func `A night of two sources counts once, and so does each stage`() throws {
    let folder = try TestFolder()
    let night = sleep("01 23:00", "02 02:00") + sleep("02 01:00", "02 03:00", "AsleepDeep")
    let rows = try rows(
      folder.makeStore(
        elements: night + night.replacingOccurrences(of: "\"W\"", with: "\"Phone\"")))
    #expect(rows.contains(["2026-03-02", "4 h 00 min", "2 h 00 min", "3 h 00 min"]), "\(rows)")
  }

  @Test func `Mindfulness and workouts count once, by day and within each`() throws {
    let folder = try TestFolder()
    func mindful(_ source: String, _ start: String, _ end: String) -> String {
      """
       <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="\(source)" \
      startDate="2026-03-\(start):00 +0000" endDate="2026-03-\(end):00 +0000" \
      value="HKCategoryValueNotApplicable"/>

      """
    }
    func workout(_ source: String, _ start: String, _ end: String) -> String {
      """
       <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="\(source)" \
      duration="60" durationUnit="min" startDate="2026-03-\(start):00 +0000" \
      endDate="2026-03-\(end):00 +0000"/>

      """
    }
    let elements =
      mindful("A", "01 08:00", "01 08:20") + mindful("B", "01 08:10", "01 08:30")
      + mindful("A", "01 23:50", "02 00:05") + workout("A", "01 10:00", "01 11:00")
      + workout("B", "01 10:30", "01 11:30") + workout("A", "01 23:30", "02 00:30")
    let path = try folder.makeStore(elements: elements)
    let rows = try rows(path)
    #expect(rows.contains(["2026-03-01", "40"]) && rows.contains(["2026-03-02", "5"]), "\(rows)")
    let page = try ToolProcess.output("report", "--store", path, "-")
    #expect(page.contains("2026-03-01: 120 min") && page.contains("2026-03-02: 30 min"))
    // A workout that began before the displayed days continues in them.
    let last = try ToolProcess.output("report", "--store", path, "-", "--from", "2026-03-02")
    #expect(last.contains("2026-03-02: 30 min") && last.contains("2026-03-01 23:30"))
  }

  private func exercise(_ start: Int, _ length: Int, _ value: Double, _ source: String) -> String {
    func time(_ minute: Int) -> String {
      let text = UTCText.text(794_016_000 + Double(minute) * 60)
      return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
    }
    return """
       <Record type="HKQuantityTypeIdentifierAppleExerciseTime" sourceName="\(source)" unit="min" \
      startDate="\(time(start))" endDate="\(time(start + length))" value="\(value)"/>

      """
  }

  /// The sums of `aggregate` by interval.
  private func sums(_ path: String, every interval: String) throws -> [String: Double] {
    let run = try ToolProcess.run([
      "aggregate", "--store", path, "--type", "appleExerciseTime", "--every", interval,
      "--format", "jsonl",
    ])
    return try Dictionary(
      uniqueKeysWithValues: run.objects().map {
        ($0["start"] as? String ?? "", $0["sum"] as? Double ?? -1)
      })
  }

  @Test func `Minutes that one source saved twice count once`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(
      elements: (0..<50).map { _ in exercise(600, 30, 30, "W") }.joined()
        + exercise(615, 30, 30, "W") + exercise(700, 10, 5, "W") + exercise(705, 0, 2, "W"))
    let hours = ["2026-03-01T10:00:00Z": 45.0, "2026-03-01T11:00:00Z": 6]
    #expect(try sums(path, every: "1h") == hours)
    #expect(try sums(path, every: "1d") == ["2026-03-01T00:00:00Z": 51])
    #expect(try rows(path).contains(["2026-03-01", "51"]))
    #expect(
      try ToolProcess.output("query", "--store", path, "--type", "activitySummary")
        .contains("exercise 51/– min"))
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Random minutes of several sources agree with counting one by one`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed)
    var (minutes, elements): ([Int: Double], String) = ([:], "")
    for _ in 0..<40 {
      let start = Int.random(in: 0..<5 * 1440, using: &random)
      let length = Int.random(in: 1...300, using: &random)
      let share = Bool.random(using: &random) ? 1.0 : 0.5
      elements += exercise(
        start, length, share * Double(length), ["A", "B"][Int.random(in: 0...1, using: &random)])
      for minute in start..<start + length {
        minutes[minute] = max(minutes[minute] ?? 0, share)
      }
    }
    let folder = try TestFolder()
    let path = try folder.makeStore(elements: elements)
    for (interval, length) in [("1h", 60), ("1d", 1440)] {
      let expected = Dictionary(grouping: minutes, by: { $0.key / length }).map {
        (UTCText.text(794_016_000 + Double($0.key * length * 60)), $0.value.reduce(0) { $0 + $1.1 })
      }
      let found = try sums(path, every: interval)
      #expect(found.count == expected.count)
      for (start, sum) in expected { #expect(abs((found[start] ?? -1) - sum) < 1e-6, "\(start)") }
    }
  }

  @Test func `One sample in the far future does not move the days, and is reported`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let later = Date(timeIntervalSinceNow: 3600 * 24 * 3650)
    let type = HKQuantityType(.heartRate)
    let rate = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 70)
    try await store.save([
      HKQuantitySample(type: type, quantity: rate, start: later, end: later)
    ])
    try await store.close()
    let run = try ToolProcess.run(["report", "--store", path, "-"])
    #expect(run.status == 0)
    #expect(run.out.contains("to 2024-02-01, days of UTC"))
    #expect(run.error.contains("1 sample of this --subject begins after today, the last on 20"))
    #expect(run.error.contains("and is left out; --to shows later days."))
  }

  // MARK: Random sleep

  /// Random samples of a week with the minutes that they cover.
  private func randomSleep(
    _ random: inout Seeded
  ) -> [(value: HKCategoryValueSleepAnalysis, minutes: Range<Int>)] {
    (0..<Int.random(in: 1...30, using: &random)).map { _ in
      let start = Int.random(in: -1440..<8 * 1440, using: &random)
      let length = Int.random(in: 1...(Bool.random(using: &random) ? 120 : 2000), using: &random)
      let value = HKCategoryValueSleepAnalysis(rawValue: .random(in: 0...5, using: &random))
      return (value ?? .asleepCore, start..<start + length)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Random sleep is divided among days, none of which exceeds its length`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed)
    let midnight = Date(
      timeIntervalSinceReferenceDate: 800_000_000 - 800_000_000.0.remainder(dividingBy: 86_400))
    let spans = randomSleep(&random)
    let samples = spans.map { span in
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: span.value.rawValue,
        start: midnight + Double(span.minutes.lowerBound) * 60,
        end: midnight + Double(span.minutes.upperBound) * 60)
    }
    let days = try #require(
      ReportDays(from: midnight - 3 * 86_400, to: midnight + 11 * 86_400, in: Self.utc))
    let found = ReportSleep(samples).days(days)
    func minutes(_ isWanted: (HKCategoryValueSleepAnalysis) -> Bool) -> Double {
      Double(Set(spans.filter { isWanted($0.value) }.flatMap { Array($0.minutes) }).count) * 60
    }
    // All sleep is on exactly one day.
    let asleep = HKCategoryValueSleepAnalysis.allAsleepValues
    #expect(abs(found.reduce(0) { $0 + $1.asleep } - minutes(asleep.contains)) < 1e-3)
    for value in Set(spans.map(\.value)) {
      let sum = found.reduce(0) { $0 + ($1.values[value] ?? 0) }
      #expect(abs(sum - minutes { $0 == value }) < 1e-3)
    }
    for day in found {
      #expect(day.asleep <= 86_400.001)
      #expect(day.values.values.allSatisfy { $0 <= 86_400.001 })
      #expect(day.parts.reduce(0) { $0 + $1.seconds } <= 86_400.001)
      let stages = day.values.filter { asleep.contains($0.key) }.values
      #expect(
        day.asleep <= stages.reduce(0, +) + 1e-3 && stages.allSatisfy { $0 <= day.asleep + 1e-3 })
    }
  }
}

/// The rows of a page's tables.
final class PageRows: NSObject, XMLParserDelegate {
  private var rows: [[String]] = []
  private var cell: String?

  static func parse(_ page: String) throws -> [[String]] {
    let delegate = PageRows()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = delegate
    #expect(parser.parse())
    return delegate.rows
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if name == "tr" { rows.append([]) }
    if name == "td" || name == "th" { cell = "" }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { cell? += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard name == "td" || name == "th", let text = cell else { return }
    rows[rows.count - 1].append(text)
    cell = nil
  }
}
