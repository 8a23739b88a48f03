import Foundation
import SampleLogSimulation

/// The subcommand that shuts down a file system under a running writer, remounts it, and checks
/// that every acknowledged commit survived.
enum PowerCutsCommand: Subcommand {
  static let name = "powercuts"
  static let usage = "usage: Prove powercuts [--cuts N] [--seed N] ext4|xfs\n"

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let arguments = try Arguments(words, options: ["--cuts", "--seed"], others: 1...1)
    guard let kind = Disk.Kind(rawValue: arguments.others[0]) else {
      throw UsageError("The file system is ext4 or xfs.")
    }
    return try cutPower(
      arguments.number("--cuts", in: 1...1_000_000) ?? 15, kind,
      arguments.number("--seed", in: 0 ... .max) ?? 1)
  }

  private static func cutPower(_ cuts: Int, _ kind: Disk.Kind, _ seed: UInt64) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.path + "/powercut-" + UUID().uuidString
    let disk = try Disk(in: folder, kind: kind)
    defer { disk.remove() }
    let ending = TortureRun.Ending(.power) { child in
      // Acknowledgements were read before. A sync in progress may now return success without
      // reaching the disk, so later acknowledgements do not count.
      try disk.cutPower()
      child.end()
      try disk.unmount()
      try disk.mount()
    }
    var run = TortureRun(
      disk.mountPoint + "/store", seed: seed, executable: try TortureCommand.program(),
      arguments: [WriterCommand.name], ending: ending)
    run.buffers = true
    run.longest = 600
    let start = Date()
    for cut in 1...cuts {
      let problems = try run.next()
      guard problems.isEmpty else {
        for problem in problems.prefix(20) { print(problem) }
        print("bad: cut \(cut) of \(kind.rawValue), seed \(seed)")
        return false
      }
    }
    print(
      "good: \(cuts) power cuts on \(kind.rawValue), \(run.figures), seed \(seed), "
        + "\(Int(Date().timeIntervalSince(start))) s")
    return true
  }
}
