import Foundation
import Testing

/// Dates of all four-digit years in the commands that read and print them.
@Suite struct YearTests {
  private static let years = [
    "0001", "0004", "1582", "1900", "1969", "1970", "2000", "2262", "4000", "4001", "9999",
  ]

  private func makeStore(_ folder: TestFolder, years: [String]) throws -> String {
    let path = folder.store()
    let lines = years.flatMap { year -> [String] in
      let samples: [String] = [
        #""type":"stepCount","start":"\#(year)-06-01T10:00:00Z","end":"\#(year)-06-01T10:10:00Z","#
          + #""value":10,"unit":"count""#,
        #""type":"appleExerciseTime","start":"\#(year)-06-01T10:00:00Z","#
          + #""end":"\#(year)-06-01T10:10:00Z","value":10,"unit":"min""#,
        #""type":"sleepAnalysis","start":"\#(year)-06-01T00:00:00Z","#
          + #""end":"\#(year)-06-01T07:00:00Z","value":3"#,
      ]
      return samples.map { "{\"uuid\":\"\(UUID())\",\($0)}\n" }
    }
    let run = try ToolProcess.run(["ingest", "-", "--store", path], input: lines.joined())
    #expect(run.status == 0, "\(run.error)")
    return path
  }

  @Test(arguments: ["1h", "1d", "1w"])
  func `Sums have an interval for each year`(interval: String) throws {
    let folder = try TestFolder()
    let path = try makeStore(folder, years: Self.years)
    for type in ["stepCount", "appleExerciseTime"] {
      let options = ["aggregate", "--store", path, "--every", interval, "--format", "jsonl"]
      let run = try ToolProcess.run(options + ["--type", type])
      let found = try run.objects()
      #expect(found.map { ($0["start"] as? String ?? "").prefix(4) } == Self.years.map { $0[...] })
      #expect(found.allSatisfy { $0["sum"] as? Double == 10 })
      #expect(
        found.allSatisfy { ($0["start"] as? String ?? "") < ($0["end"] as? String ?? "") })
      for year in Self.years {
        let one = try ToolProcess.run(
          options + ["--type", type, "--from", "\(year)-05-30", "--to", "\(year)-06-03"])
        #expect(try one.objects().count == 1, "\(year)")
      }
    }
  }

  @Test(arguments: years)
  func `A report has the figures of any year, requested or not`(year: String) throws {
    let folder = try TestFolder()
    let path = try makeStore(folder, years: [year])
    for options in [[], ["--from", "\(year)-05-30", "--to", "\(year)-06-03"]] {
      let run = try ToolProcess.run(["report", "--store", path, "-"] + options)
      #expect(run.status == 0, "\(run.error)")
      let rows = try PageRows.parse(run.out)
      #expect(rows.contains(["\(year)-06-01", "10"]), "\(options)")
      #expect(rows.contains { $0.starts(with: ["\(year)-06-01", "7 h 00 min"]) }, "\(options)")
    }
  }

  @Test func `Offsets of zones with seconds are printed with them`() throws {
    let folder = try TestFolder()
    let path = try makeStore(folder, years: ["1582"])
    let days = try ToolProcess.run([
      "aggregate", "--store", path, "--type", "stepCount", "--time-zone", "Europe/Berlin",
      "--format", "jsonl",
    ]).objects()
    #expect(days.first?["start"] as? String == "1582-06-01T00:00:00+00:53:28")
  }

  @Test func `Years without four digits are an error`() throws {
    let folder = try TestFolder()
    let path = folder.store()
    let lines = ["-0001-06-01", "+12000-06-01"].map { day -> String in
      let front = #"{"uuid":"\#(UUID())","type":"stepCount","start":"\#(day)T10:00:00Z""#
      return front + #","value":1,"unit":"count"}"# + "\n"
    }
    for (line, word) in zip(lines, ["before the year 1", "after the year 9999"]) {
      let store = "\(path)-\(word.prefix(3))"
      let ingested = try ToolProcess.run(["ingest", "-", "--store", store], input: line)
      #expect(ingested.status == 0, "\(ingested.error)")
      let run = try ToolProcess.run(["aggregate", "--store", store, "--type", "stepCount"])
      #expect(run.status == 1 && run.out.isEmpty && run.error.contains(word), "\(run)")
      #expect(try ToolProcess.run(["report", "--store", store, "-"]).status == 2)
    }
  }
}
