import Foundation
import SampleLog
import SampleLogSimulation

/// `healthstore torture`: kills writers on the user's own disk and checks what they leave.
struct TortureCommand: Command {
  static let usage = CommandUsage(
    name: "torture", summary: "Kills writers at random moments and checks what they leave.",
    arguments: [
      .init(name: "DIR", help: "A directory that is empty, new, or of an earlier torture.")
    ],
    options: [
      .init(name: "--seed", value: "N", help: "Decides what is done and when; 1 unless given."),
      .init(name: "--minutes", value: "M", help: "For how long; 1 unless given."),
      .init(name: "--rounds", value: "N", help: "How many kills; as many as there is time for."),
      .init(name: "--writer", value: "ORDER", help: "For the program itself: be the one killed."),
    ],
    notes: [
      "Each round starts this program again, as a writer of several threads in DIR, ends it with "
        + "SIGKILL, opens the store and compares: everything acknowledged is there, batches are "
        + "whole, nothing failed is back, the feed leads from earlier anchors to what is there, "
        + "and every checksum is right. Readers look in meanwhile. It says nothing about power.",
      "Exit status: 0 all well, 1 something was lost or wrong, 2 DIR cannot be used.",
    ])

  /// What tells a directory that may be emptied.
  static let marker = "TORTURE"
  private static let store = "store"

  private let directory: String
  private let seed: UInt64
  private let minutes: Int?
  private let rounds: Int?
  private let order: TortureOrder?

  init(_ arguments: ParsedArguments) throws {
    directory = arguments.positional[0]
    seed = UInt64(try arguments.count("--seed") ?? 1)
    minutes = try arguments.count("--minutes")
    rounds = try arguments.count("--rounds")
    order = try arguments["--writer"].map { text in
      guard let order = TortureOrder(text) else {
        throw arguments.error("The text after --writer is no order")
      }
      return order
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    if let order {
      try TortureWriter(directory, order).run()
      return .good
    }
    try prepare()
    guard let program = Bundle.main.executableURL else {
      throw Failure("The program does not find itself, to start it again.", status: .unusable)
    }
    var torture = TortureRun(
      directory + "/" + Self.store, seed: seed, executable: program,
      arguments: ["torture", "--writer"])
    let end = Date(timeIntervalSinceNow: Double(minutes ?? 1) * 60)
    let isTimed = minutes != nil || rounds == nil
    var said = Date()
    while torture.round < rounds.map(UInt64.init) ?? .max, !isTimed || Date() < end {
      let problems = try torture.next()
      guard problems.isEmpty else { return try report(problems, torture, console) }
      if Date().timeIntervalSince(said) > 10 {
        console.note(Self.figures(torture))
        said = Date()
      }
    }
    try console.report(["good: \(Self.figures(torture)), seed \(seed)"])
    return .good
  }

  /// Makes the directory, or empties it when it is one of an earlier run.
  private func prepare() throws {
    let files = FileManager.default
    do {
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let names = try files.contentsOfDirectory(atPath: directory)
      guard Set(names).isSubset(of: [Self.marker, Self.store]),
        names.isEmpty || names.contains(Self.marker)
      else {
        throw Failure(
          "\(directory) has something in it that no torture made; name an empty directory.",
          status: .unusable)
      }
      try Data("`healthstore torture` may remove everything in this directory.\n".utf8)
        .write(to: URL(fileURLWithPath: directory + "/" + Self.marker))
      if names.contains(Self.store) {
        try files.removeItem(atPath: directory + "/" + Self.store)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure("\(directory): \(error.localizedDescription)", status: .unusable)
    }
  }

  private func report(
    _ problems: [String], _ torture: TortureRun, _ console: Console
  ) throws -> ExitStatus {
    var lines = Array(problems.prefix(20))
    if problems.count > 20 { lines.append("and \(problems.count - 20) more") }
    lines.append("bad: in round \(torture.round), after \(Self.figures(torture))")
    lines.append(
      "Please report this with a copy of \(directory), the kind of disk and file system, and "
        + "what happens again with: healthstore torture --seed \(seed) "
        + "--rounds \(torture.round) OTHER-DIR")
    try console.report(lines)
    console.note("Something acknowledged was lost, or an answer was wrong; see the output.")
    return .failed
  }

  private static func figures(_ torture: TortureRun) -> String {
    let model = torture.model
    return "\(Figures.count(Int(torture.round))) kills, "
      + "\(Figures.count(model.doneCount)) batches, \(Figures.count(model.sampleCount)) samples, "
      + "\(Figures.count(model.doubtfulCount)) unanswered, \(torture.sealings) sealings, "
      + "\(torture.compactions) compactions, \(torture.observations) looks from beside"
  }
}
