import Foundation

/// `healthstore-counts`: counts the costs of some tasks and compares them with the accepted ones.
package enum CountsCommand {
  private static let help = """
    Counts what a few small pieces of work cost.

      check FILE      compare with the thresholds in FILE; exit 1 when one is exceeded
      update FILE     write what is counted now to FILE

    Instructions are counted when valgrind is there.
    """

  /// Runs the program.
  ///
  /// `allocations` returns the allocations so far.
  package static func main(_ allocations: () -> AllocationCounts) {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      switch (words.first, words.count) {
      case ("check", 2): exit(try check(words[1]) ? 0 : 1)
      case ("update", 2): try update(words[1])
      case ("work", 4):
        try work(words[1], words[2], rounds: Int(words[3]) ?? 1, allocations)
      default:
        print(help)
        exit(words == ["--help"] ? 0 : 2)
      }
    } catch {
      printError("healthstore-counts: \(error)")
      exit(1)
    }
  }

  private static func check(_ path: String) throws -> Bool {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let thresholds = try JSONDecoder().decode(Thresholds.self, from: data)
    let counts = try countAll()
    let problems = counts.flatMap { thresholds.problems($0.name, $0.counts) }
    for problem in problems { printError(problem) }
    guard problems.isEmpty else {
      printError(
        "A count above its threshold is a cost: find it, or accept it with `.ci/counts update`.")
      return false
    }
    let tolerance = (thresholds.tolerance * 100).short
    print("\(counts.count) pieces of work cost what was committed, or at most \(tolerance) % more.")
    return true
  }

  private static func update(_ path: String) throws {
    let counts = try countAll()
    let thresholds = Thresholds(
      tolerance: 0.03,
      scenarios: Dictionary(uniqueKeysWithValues: counts.map { ($0.name, $0.counts) }))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    var data = try encoder.encode(thresholds)
    data.append(UInt8(ascii: "\n"))
    try data.write(to: URL(fileURLWithPath: path))
    print("Wrote \(path).")
  }

  private static func countAll() throws -> [(name: String, counts: Counts)] {
    let base = NSTemporaryDirectory() + "healthstore-counts-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: base) }
    try CountedWork.prepare(base + "/prepared")
    try CountedCall.prepare(base + "/people", CountedWork.options)
    let valgrind = try Valgrind(scratch: base)
    if valgrind == nil { printError("There is no valgrind here: instructions are not counted.") }
    let works = CountedWork.allCases.map { (name: $0.rawValue, store: "/prepared") }
    let calls = CountedCall.allCases.map { (name: $0.rawValue, store: "/people") }
    return try (works + calls).map { work, store in
      func directory() throws -> String {
        let copy = base + "/work"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: base + store, toPath: copy)
        return copy
      }
      let output = try Valgrind.run(nil, ["work", work, try directory(), "3"])
      var counts = try JSONDecoder().decode(Counts.self, from: Data(output.utf8))
      if let valgrind {
        let one = try valgrind.instructions(["work", work, try directory(), "1"])
        let three = try valgrind.instructions(["work", work, try directory(), "3"])
        counts.instructions = (three - one) / 2
      }
      var text = counts.named.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
      if let rows = CountedCall(rawValue: work)?.rows, rows > 0 {
        let each = Double(counts.decodedValues) / Double(CountedCall.asked * rows)
        text += ", \(each.rounded(toPlaces: 1)) values decoded per row"
      }
      print("\(work): \(text)")
      return (work, counts)
    }
  }

  /// Runs one task in this process.
  ///
  /// The first round only warms up.
  private static func work(
    _ name: String, _ directory: String, rounds: Int, _ allocations: () -> AllocationCounts
  ) throws {
    let (work, call) = (CountedWork(rawValue: name), CountedCall(rawValue: name))
    guard work != nil || call != nil else {
      throw BenchmarkError.failed("there is no work \(name).")
    }
    let disk = CountingFileSystem()
    var memory: [AllocationCounts] = []
    memory.reserveCapacity(rounds + 1)
    var disks: [DiskCounts] = []
    disks.reserveCapacity(rounds + 1)
    func count() {
      memory.append(allocations())
      disks.append(disk.counts)
    }
    try work?.run(directory, rounds: rounds, disk: disk, between: count)
    try call?.run(directory, rounds: rounds, disk: disk, between: count)
    guard rounds > 1 else { return }
    let done = disks[rounds] - disks[1]
    let divisor = rounds - 1
    let counts = Counts(
      allocations: Int(memory[rounds].count - memory[1].count) / divisor,
      allocatedBytes: Int(memory[rounds].bytes - memory[1].bytes) / divisor,
      reads: done.reads / divisor, readBytes: done.readBytes / divisor,
      writes: done.writes / divisor, writtenBytes: done.writtenBytes / divisor,
      syncs: done.syncs / divisor,
      decodedValues: Int(memory[rounds].values - memory[1].values) / divisor)
    print(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self))
  }
}
