import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// Plots of `healthstore aggregate --plot`.
@Suite struct PlotTests {
  private let sums = [
    TerminalPlot.Row(name: "2024-02-01", middle: 5000),
    TerminalPlot.Row(name: "2024-02-02", middle: 12_345.5),
    TerminalPlot.Row(name: "2024-02-04", middle: 0),
  ]
  private let ranges = [
    TerminalPlot.Row(name: "2024-02-01", middle: 70, range: 50...110),
    TerminalPlot.Row(name: "2024-02-02", middle: 60, range: 60...60),
  ]

  @Test func `Sums are bars from zero, to an eighth of a column with block characters`() {
    #expect(
      TerminalPlot.lines(sums, .plain) == [
        "2024-02-01     5000  ########################",
        "2024-02-02  12345.5  " + String(repeating: "#", count: 59),
        "2024-02-04        0",
      ])
    #expect(
      TerminalPlot.lines(sums, .blocks) == [
        "2024-02-01     5000  ███████████████████████▉",
        "2024-02-02  12345.5  " + String(repeating: "█", count: 59),
        "2024-02-04        0",
      ])
  }

  @Test func `Averages are marks on a line from minimum to maximum, above their scale`() {
    let blank = { (count: Int) in String(repeating: " ", count: count) }
    #expect(
      TerminalPlot.lines(ranges, .plain) == [
        "2024-02-01  70  " + String(repeating: "-", count: 21) + "o"
          + String(repeating: "-", count: 42),
        "2024-02-02  60  " + blank(11) + "o",
        blank(16) + "50" + blank(59) + "110",
      ])
    let blocks = TerminalPlot.lines(ranges, .blocks)
    #expect(blocks[1] == "2024-02-02  60  " + blank(11) + "●")
    #expect(blocks[0].dropFirst(16).prefix(2) == "──")
  }

  @Test func `No line is wider than 80 columns, and equal values are drawn in the middle`() {
    for value in [1.0, 0.001, 999_999_999, 1e15, 0.1 + 0.2] {
      for style in [TerminalPlot.Style.plain, .blocks] {
        let rows = [
          TerminalPlot.Row(name: "2024-02-01 08:00", middle: value),
          TerminalPlot.Row(name: "2024-02-01 09:00", middle: value / 3),
        ]
        #expect(TerminalPlot.lines(rows, style).allSatisfy { $0.count <= 80 })
        let range = [TerminalPlot.Row(name: "x", middle: value, range: value...value)]
        #expect(TerminalPlot.lines(range, style).allSatisfy { $0.count <= 80 })
      }
    }
    #expect(TerminalPlot.lines([], .plain).isEmpty)
  }

  private static let extremes = [
    0, -1, 1e-300, .leastNonzeroMagnitude, 1e-15, 1, 1e15, 1.7e308, -1.7e308, .infinity, -.infinity,
  ]

  @Test func `Numbers of every size are drawn within 80 columns`() {
    for first in Self.extremes {
      for second in Self.extremes {
        let sums = [first, second].map { TerminalPlot.Row(name: "x", middle: $0) }
        let range = TerminalPlot.Row(
          name: "x", middle: first, range: min(first, second)...max(first, second))
        for style in [TerminalPlot.Style.plain, .blocks] {
          #expect(TerminalPlot.lines(sums, style).allSatisfy { $0.count <= 80 })
          #expect(TerminalPlot.lines([range], style).allSatisfy { $0.count <= 80 })
        }
      }
    }
  }

  @Test func `A chart has a few finite ticks, whatever its numbers`() {
    for first in Self.extremes {
      for second in Self.extremes {
        for fromZero in [false, true] {
          let scale = ChartScale([first, second], fromZero: fromZero)
          #expect((2...12).contains(scale.ticks.count), "\(first), \(second)")
          #expect(scale.ticks.allSatisfy { $0.isFinite }, "\(first), \(second)")
          #expect((0...20).contains(scale.digits), "\(first), \(second)")
          #expect((0...1).contains(scale.part(first)) && (0...1).contains(scale.part(second)))
        }
      }
    }
  }

  @Test func `Block characters are used only on UTF-8 terminals`() {
    let terminal = Output(isTerminal: true) { _ in }
    let file = Output(isTerminal: false) { _ in }
    let cases: [(Output, [String: String], TerminalPlot.Style)] = [
      (terminal, ["LANG": "en_GB.UTF-8"], .blocks), (terminal, ["LANG": "C.utf8"], .blocks),
      (terminal, ["LANG": "en_GB.UTF-8", "LC_ALL": "C"], .plain), (terminal, [:], .plain),
      (terminal, ["LANG": "en_GB.UTF-8", "TERM": "dumb"], .plain),
      (terminal, ["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], .blocks),
      (file, ["LANG": "en_GB.UTF-8"], .plain),
    ]
    for (output, environment, style) in cases {
      #expect(TerminalPlot.Style(output, environment: environment) == style, "\(environment)")
    }
  }

  @Test func `The command draws the figures of the table, a plot for each type, in ASCII`()
    throws
  {
    let folder = try TestFolder()
    let path = try ReportTests.makeStore(folder)
    let aggregate = ["aggregate", "--store", path, "--type", "stepCount", "--type", "heartRate"]
    let run = try ToolProcess.run(aggregate + ["--plot"])
    #expect(run.status == 0)
    let bar = { (count: Int) in String(repeating: "#", count: count) }
    let line = "o".paddedLeft(to: 33).replacing(" ", with: "-") + bar(0)
    let range = line + String(repeating: "-", count: 31)
    #expect(
      run.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == [
        "stepCount, count",
        "2024-02-01   5000  " + bar(25),
        "2024-02-02   7000  " + bar(36),
        "2024-02-04  12000  " + bar(61),
        "",
        "heartRate, count/min",
        "2024-02-01  75  " + range,
        "2024-02-02  75  " + range,
        "2024-02-04  75  " + range,
        "60".paddedLeft(to: 18) + "90".paddedLeft(to: 62),
        "",
      ])
    let hourly = try ToolProcess.run(aggregate + ["--plot", "--every", "1h", "--by", "source"])
    #expect(hourly.lines.first == "stepCount, Watch, count")
    #expect(hourly.lines.contains { $0.hasPrefix("2024-02-01 08:00  ") })
    let namesakes = try ToolProcess.run(
      ["ingest", "-", "--store", path],
      input: ["a", "b"].map {
        #"{"uuid":"\#(UUID())","type":"stepCount","start":"2024-02-01T08:00:00Z","#
          + #""value":1,"unit":"count","source":"S","bundleIdentifier":"\#($0)"}\#n"#
      }.joined())
    #expect(namesakes.status == 0)
    let apart = try ToolProcess.run(aggregate + ["--plot", "--by", "source"])
    #expect(apart.lines.contains("a, stepCount, S, count"), "\(apart.out)")
    #expect(apart.lines.contains("b, stepCount, S, count"))
    let both = try ToolProcess.run(aggregate + ["--plot", "--format", "csv"])
    #expect(both.status == 2)
    #expect(both.error.contains("--plot and --format exclude each other"))
  }
}
