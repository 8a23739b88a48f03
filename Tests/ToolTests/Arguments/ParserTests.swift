import Foundation
import Testing

@testable import HealthStoreTool

@Suite struct ParserTests {
  private let usage = CommandUsage(
    name: "test", summary: "Tests.", arguments: [.init(name: "PATH", help: "A path.")],
    options: [
      .init(name: "--store", value: "DIR", help: "A store.", isRequired: true),
      .init(name: "--type", value: "TYPE", help: "A type.", isRepeatable: true),
      .init(name: "--limit", value: "N", help: "A limit."),
      .init(name: "--from", value: "TIME", help: "A time."),
      .init(name: "--latest", help: "A flag."),
    ])

  private enum Colour: String, CaseIterable { case red, green }

  private func parse(_ words: String...) throws -> ParsedArguments {
    try ParsedArguments(words, usage)
  }

  private func complaint(_ words: String...) -> String? {
    do {
      _ = try ParsedArguments(words, usage)
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test func `Values may follow an option or be attached to it`() throws {
    let parsed = try parse("--store", "a", "file", "--type=x", "--type", "y=z", "--latest")
    #expect(parsed["--store"] == "a")
    #expect(parsed.positional == ["file"])
    #expect(parsed.all("--type") == ["x", "y=z"])
    #expect(parsed.has("--latest"))
    #expect(!parsed.has("--limit"))
  }

  @Test func `A dash is an argument, and two dashes make the rest arguments`() throws {
    #expect(try parse("--store", "a", "-").positional == ["-"])
    #expect(try parse("--store", "a", "--", "--latest").positional == ["--latest"])
    #expect(try !parse("--store", "a", "--", "--latest").has("--latest"))
  }

  @Test func `An attached value may look like an option or be empty`() throws {
    #expect(try parse("--store=--odd", "p")["--store"] == "--odd")
    #expect(try parse("--store=", "p")["--store"] == "")
  }

  @Test func `An error is one sentence that refers to the help`() {
    let advice = "; see `healthstore test --help`."
    #expect(complaint("p", "--store", "a", "--nope") == "There is no option --nope" + advice)
    #expect(complaint("p", "-x", "--store", "a") == "There is no option -x" + advice)
    #expect(complaint("p", "--store") == "The option --store needs a value DIR" + advice)
    #expect(
      complaint("p", "--store", "--latest") == "The option --store needs a value DIR" + advice)
    #expect(
      complaint("p", "--store", "a", "--latest=1")
        == "The option --latest takes no value" + advice)
    #expect(
      complaint("p", "--store", "a", "--store", "b")
        == "The option --store may be given once only" + advice)
    #expect(complaint("--store", "a") == "The argument PATH is missing" + advice)
    #expect(complaint("p", "q", "--store", "a") == "There is one argument too many, q" + advice)
    #expect(complaint("p") == "The option --store DIR is missing" + advice)
  }

  @Test(arguments: ["0", "-1", "x", "1.5", ""])
  func `Counts are whole numbers from 1`(text: String) throws {
    #expect(try parse("p", "--store", "a", "--limit", "12").count("--limit") == 12)
    #expect(try parse("p", "--store", "a").count("--limit") == nil)
    let parsed = try parse("p", "--store", "a", "--limit=\(text)")
    #expect(throws: UsageError.self) { try parsed.count("--limit") }
  }

  @Test func `A choice is one of its words, and has a default`() throws {
    #expect(try parse("p", "--store", "a").choice("--type", default: Colour.red) == .red)
    #expect(
      try parse("p", "--store", "a", "--type", "green").choice("--type", default: Colour.red)
        == .green)
    let parsed = try parse("p", "--store", "a", "--type", "blue")
    let error = #expect(throws: UsageError.self) {
      try parsed.choice("--type", default: Colour.red)
    }
    #expect(error?.sentence.contains("one of red, green, not blue") == true)
  }

  @Test(
    arguments: [
      ("2024-03-01", 1_709_251_200.0), ("2024-03-01T08:30:00", 1_709_281_800),
      ("2024-03-01T08:30:00Z", 1_709_281_800), ("2024-03-01T08:30:00+01:00", 1_709_278_200),
      ("2024-03-01 08:30:00.25 -0100", 1_709_285_400.25),
    ])
  func `Times are UTC unless they carry an offset`(text: String, seconds: Double) {
    #expect(TimeArgument.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: ["", "today", "2024-02-30", "2024-13-01", "2024-03-01T25:00:00", "2024-03-01x"])
  func `Text that is not a time is refused`(text: String) throws {
    #expect(TimeArgument.date(text) == nil)
    let parsed = try parse("p", "--store", "a", "--from=\(text)")
    #expect(throws: UsageError.self) { try parsed.time("--from") }
  }

  @Test func `Help is recognised anywhere before two dashes`() {
    #expect(usage.asksForHelp(["p", "--help"]))
    #expect(usage.asksForHelp(["-h"]))
    #expect(!usage.asksForHelp(["--", "--help"]))
  }

  @Test func `The help of every command fits a terminal and names every option`() {
    for command in Tool.commands {
      let help = command.usage.help
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
      for option in command.usage.options { #expect(help.contains(option.name + " ")) }
      #expect(help.hasPrefix("Usage: healthstore \(command.usage.name)"))
    }
  }

  @Test(
    arguments: [
      ("heartRate", "HKQuantityTypeIdentifierHeartRate"),
      ("HEARTRATE", "HKQuantityTypeIdentifierHeartRate"),
      ("vo2Max", "HKQuantityTypeIdentifierVO2Max"),
      ("uvExposure", "HKQuantityTypeIdentifierUVExposure"),
      ("heartRateVariabilitySDNN", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"),
      ("sleepAnalysis", "HKCategoryTypeIdentifierSleepAnalysis"),
      ("bloodPressure", "HKCorrelationTypeIdentifierBloodPressure"),
      ("workout", "HKWorkoutTypeIdentifier"),
      ("HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierStepCount"),
      ("HKDataTypeSleepDurationGoal", "HKDataTypeSleepDurationGoal"),
    ])
  func `Types have their Swift name, in any case, or their identifier`(
    text: String, identifier: String
  ) throws {
    #expect(try TypeArgument.identifier(text) == identifier)
  }

  @Test func `An error about an unknown type suggests similar ones`() {
    let error = #expect(throws: UsageError.self) { try TypeArgument.identifier("heart") }
    #expect(error?.sentence.contains("heartRate") == true)
    #expect(throws: UsageError.self) { try TypeArgument.identifier("zzz") }
  }
}
