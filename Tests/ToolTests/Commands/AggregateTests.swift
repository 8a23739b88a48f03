import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// `healthstore aggregate` and `healthstore sources`.
@Suite struct AggregateTests {
  /// Imports an export with steps of a phone and a watch.
  private func makeStore(
    _ folder: TestFolder, _ records: [(source: String, start: String, end: String, steps: Int)]
  ) throws -> String {
    let elements = records.map { record in
      """
       <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(record.source)" \
      unit="count" startDate="\(record.start)" endDate="\(record.end)" value="\(record.steps)"/>

      """
    }
    let export = try folder.write(
      "export.xml",
      "<HealthData locale=\"en_GB\">\n <ExportDate value=\"2024-06-01 10:00:00 +0100\"/>\n"
        + elements.joined() + "</HealthData>")
    let run = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(run.status == 0, "\(run.error)")
    return folder.store()
  }

  private func aggregate(_ path: String, _ more: String...) throws -> [[String: Any]] {
    let run = try ToolProcess.run(["aggregate", "--store", path, "--format", "jsonl"] + more)
    #expect(run.status == 0, "\(run.error)")
    return try run.objects()
  }

  @Test func `Discrete types have the average, minimum and maximum of each interval`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 65])
    let days = try aggregate(path, "--type", "heartRate")
    #expect(days.count == 1)
    #expect(days[0]["start"] as? String == "2024-02-01T00:00:00Z")
    #expect(days[0]["end"] as? String == "2024-02-02T00:00:00Z")
    #expect(days[0]["average"] as? Double == 62)
    #expect(days[0]["minimum"] as? Double == 60)
    #expect(days[0]["maximum"] as? Double == 65)
    #expect(days[0]["unit"] as? String == "count/min")
    #expect(days[0]["sum"] == nil)
    let table = try ToolProcess.run(["aggregate", "--store", path, "--type", "heartRate"])
    #expect(
      table.lines == [
        "START                 END                   AVERAGE  MINIMUM  MAXIMUM  UNIT",
        "2024-02-01T00:00:00Z  2024-02-02T00:00:00Z       62       60       65  count/min",
      ])
  }

  @Test func `Steps are summed by hour, day and week, and weeks begin on Monday`() throws {
    let folder = try TestFolder()
    // A Sunday evening and the following Monday.
    let path = try makeStore(
      folder,
      [
        ("Phone", "2024-03-03 22:00:00 +0000", "2024-03-03 22:10:00 +0000", 100),
        ("Phone", "2024-03-03 23:55:00 +0000", "2024-03-04 00:05:00 +0000", 60),
        ("Phone", "2024-03-04 10:00:00 +0000", "2024-03-04 10:10:00 +0000", 7),
      ])
    func sums(_ every: String) throws -> [String: Double] {
      let records = try aggregate(path, "--type", "stepCount", "--every", every)
      return Dictionary(
        uniqueKeysWithValues: records.compactMap { record in
          (record["start"] as? String).map { ($0, record["sum"] as? Double ?? -1) }
        })
    }
    #expect(try sums("1w") == ["2024-02-26T00:00:00Z": 130, "2024-03-04T00:00:00Z": 37])
    #expect(try sums("1d") == ["2024-03-03T00:00:00Z": 130, "2024-03-04T00:00:00Z": 37])
    #expect(
      try sums("1h") == [
        "2024-03-03T22:00:00Z": 100, "2024-03-03T23:00:00Z": 30, "2024-03-04T00:00:00Z": 30,
        "2024-03-04T10:00:00Z": 7,
      ])
    let limited = try aggregate(
      path, "--type", "stepCount", "--from", "2024-03-04", "--to", "2024-03-04T06:00:00")
    #expect(limited.map { $0["sum"] as? Double } == [30])
  }

  @Test func `Days follow the time zone, even when the clock changes`() throws {
    let folder = try TestFolder()
    let path = try makeStore(
      folder,
      [
        // Half past midnight in Berlin.
        ("Phone", "2024-03-30 23:30:00 +0000", "2024-03-30 23:40:00 +0000", 5),
        ("Phone", "2024-03-31 21:30:00 +0000", "2024-03-31 21:40:00 +0000", 6),
        ("Phone", "2024-03-31 22:30:00 +0000", "2024-03-31 22:40:00 +0000", 7),
      ])
    let days = try aggregate(path, "--type", "stepCount", "--time-zone", "Europe/Berlin")
    #expect(
      days.map { $0["start"] as? String } == [
        "2024-03-31T00:00:00+01:00", "2024-04-01T00:00:00+02:00",
      ])
    #expect(days.map { $0["sum"] as? Double } == [11, 7])
    let from = try aggregate(
      path, "--type", "stepCount", "--time-zone", "Europe/Berlin", "--from", "2024-04-01")
    #expect(from.map { $0["sum"] as? Double } == [7])
    let utc = try aggregate(path, "--type", "stepCount")
    #expect(utc.map { $0["sum"] as? Double } == [5, 13])
  }

  @Test func `Sources that overlap count once together, and separately by source`() throws {
    let folder = try TestFolder()
    let path = try makeStore(
      folder,
      [
        ("Phone", "2024-03-03 10:00:00 +0000", "2024-03-03 10:10:00 +0000", 100),
        ("Watch", "2024-03-03 10:00:00 +0000", "2024-03-03 10:10:00 +0000", 120),
        ("Watch", "2024-03-03 12:00:00 +0000", "2024-03-03 12:10:00 +0000", 10),
      ])
    let merged = try aggregate(path, "--type", "stepCount")
    let sum = try #require(merged.first?["sum"] as? Double)
    #expect(merged.count == 1)
    #expect([110, 130].contains(sum))
    let apart = try aggregate(path, "--type", "stepCount", "--by", "source")
    #expect(
      apart.map { $0["source"] as? String }.sorted { $0 ?? "" < $1 ?? "" } == ["Phone", "Watch"])
    #expect(Set(apart.compactMap { $0["sum"] as? Double }) == [100, 130])

    let sources = try ToolProcess.run(["sources", path, "--format", "json"]).objects()
    #expect(sources.map { $0["source"] as? String } == ["Phone", "Watch"])
    #expect(sources.map { $0["samples"] as? Int } == [1, 2])
    #expect(sources.last?["first"] as? String == "2024-03-03T10:00:00Z")
    #expect(sources.last?["last"] as? String == "2024-03-03T12:10:00Z")
    let later = try ToolProcess.run(
      ["sources", path, "--from", "2024-03-03T11:00:00", "--format", "csv"])
    #expect(later.lines.count == 2)
    #expect(later.lines.first == "subject,source,bundleIdentifier,samples,first,last")
    let none = try ToolProcess.run(["sources", path, "--subject", "ada", "--format", "json"])
    #expect(none.out == "[]\n")
  }

  @Test(
    arguments: [
      ["--type", "sleepAnalysis"], ["--type", "stepCount", "--every", "1y"], [],
      ["--type", "stepCount", "--time-zone", "Nowhere/City"],
      ["--type", "stepCount", "--by", "type"],
      ["--type", "stepCount", "--from", "2024-02-02", "--to", "2024-02-01"],
    ])
  func `Types that cannot be aggregated are refused with a message`(options: [String]) async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let run = try ToolProcess.run(["aggregate", "--store", path] + options)
    #expect(run.status == 2)
    #expect(run.error.split(separator: "\n").count == 1)
  }
}
