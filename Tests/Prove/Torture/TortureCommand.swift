import Foundation
import SampleLogSimulation

/// The subcommand that kills writers on the user's own disk and checks their stores.
enum TortureCommand: Subcommand {
  static let name = "torture"
  static let usage = """
    usage: Prove torture [--seed N] [--minutes M] [--rounds N] DIR

      --seed N     decides what is done and when (1)
      --minutes M  for how long (1)
      --rounds N   how many kills (as many as there is time for)
      DIR          a directory that is empty, new, or of an earlier torture

    Each round starts this program again, as a writer of several threads in DIR, ends it with
    SIGKILL, opens the store and compares: everything acknowledged is there, batches are whole,
    nothing failed is back, the feed leads from earlier anchors to what is there, and every checksum
    is right. Readers look in meanwhile. It says nothing about power.

    """

  /// The marker file of a directory that may be emptied.
  private static let marker = "TORTURE"
  private static let store = "store"

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let arguments = try Arguments(
      words, options: ["--seed", "--minutes", "--rounds"], others: 1...1)
    let directory = arguments.others[0]
    let seed: UInt64 = try arguments.number("--seed", in: 0 ... .max) ?? 1
    let minutes: Double? = try arguments.number("--minutes", in: 0...1e6)
    let rounds: UInt64? = try arguments.number("--rounds", in: 1 ... .max)
    try prepare(directory)
    var torture = TortureRun(
      directory + "/" + store, seed: seed, executable: try program(),
      arguments: [WriterCommand.name])
    let end = Date(timeIntervalSinceNow: (minutes ?? 1) * 60)
    let isTimed = minutes != nil || rounds == nil
    while torture.round < rounds ?? .max, !isTimed || Date() < end {
      let problems = try torture.next()
      guard problems.isEmpty else {
        for problem in problems.prefix(20) { print(problem) }
        if problems.count > 20 { print("and \(problems.count - 20) more") }
        print(
          """
          bad: in round \(torture.round), after \(torture.figures)
          Please report this with a copy of \(directory), the kind of disk and file system, and \
          what happens again with: Prove torture --seed \(seed) --rounds \(torture.round) OTHER-DIR
          """)
        return false
      }
    }
    print("good: \(torture.round) kills, \(torture.figures), seed \(seed)")
    return true
  }

  /// Returns the path of this program, which is also the writer.
  static func program() throws -> URL {
    guard let program = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
    return program
  }

  /// Creates the directory, or empties the one of an earlier run.
  private static func prepare(_ directory: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let names = try files.contentsOfDirectory(atPath: directory)
    guard Set(names).isSubset(of: [marker, store]), names.isEmpty || names.contains(marker) else {
      throw UsageError(
        "\(directory) has something in it that no torture made; name an empty directory.")
    }
    try Data("`Prove torture` may remove everything in this directory.\n".utf8)
      .write(to: URL(fileURLWithPath: directory + "/" + marker))
    if names.contains(store) { try files.removeItem(atPath: directory + "/" + store) }
  }
}

extension TortureRun {
  /// The figures of the run, in readable form.
  var figures: String {
    "\(model.doneCount) batches acknowledged, \(model.sampleCount) samples, "
      + "\(model.doubtfulCount) unanswered, \(sealings) sealings, \(compactions) compactions, "
      + "\(observations) observations by readers"
  }
}
