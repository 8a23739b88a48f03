import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// Processes that are killed while they save, on a real file system.
@Suite struct KillTests {
  /// The commits that the killed writers acknowledged.
  fileprivate struct Acknowledged {
    var sizes: [Int: Int] = [:]
    var deleted: Set<Int> = []
    /// Groups whose deletion was not acknowledged.
    var doubtful: Set<Int> = []
    var end: UInt64 = 0
    var next = 0
  }

  @Test(arguments: 0..<Trials.count(10, quick: 2))
  func `No acknowledged batch is lost and none is half present after twenty kills`(
    round: Int
  ) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("healthstore-kill-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    var random = Seeded(UInt64(round))
    var known = Acknowledged()
    var anchor = Anchor.beginning
    var folded: [Identifier: Int] = [:]
    for _ in 0..<20 {
      try run(directory.path, &known, &random)
      let database = try Database(path: directory.path)
      defer { try? database.close() }
      #expect(database.end >= known.end, "an acknowledged sequence number is lost")
      let groups = try groups(database)
      for (group, size) in known.sizes {
        let count = groups[group]?.count ?? 0
        if known.deleted.contains(group) {
          #expect(count == 0, "group \(group) returned")
        } else if !known.doubtful.contains(group) {
          #expect(count == size, "group \(group) is incomplete")
        }
      }
      for (group, rows) in groups {
        #expect(rows.allSatisfy { $0 == rows.count }, "group \(group) is half present")
      }
      // An anchor from before the kill leads to the state after it.
      let page = try database.snapshot().changes(after: anchor)
      for change in page.changes {
        folded[change.row.id] = change.kind == .sample ? Int(change.row.start) : nil
      }
      anchor = page.anchor
      let expected = groups.flatMap { group, rows in rows.map { _ in group } }.sorted()
      #expect(folded.values.sorted() == expected)
      known.next = (groups.keys.max() ?? -1) + 1
      known.next = max(known.next, (known.sizes.keys.max() ?? -1) + 1)
      known.settle(groups)
    }
    #expect(known.sizes.count >= 100, "the writers saved too little")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains { $0.hasSuffix(".segment") }, "nothing was ever sealed")
    #expect(try Verification(path: directory.path).isGood)
  }

  /// The group sizes that the rows of each group state.
  private func groups(_ database: Database) throws -> [Int: [Int]] {
    var groups: [Int: [Int]] = [:]
    let key = SeriesKey(subject: 0, type: database.symbols.intern("group"))
    for row in try database.snapshot().select([key]) {
      let start = row.block.start[row.row]
      groups[Int(start), default: []].append(Int(row.block.end[row.row] - start))
    }
    return groups
  }

  /// Runs a writer until it has acknowledged some commits, then kills it.
  private func run(
    _ directory: String, _ known: inout Acknowledged, _ random: inout Seeded
  ) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("CrashWriter")
    if !FileManager.default.isExecutableFile(atPath: process.executableURL?.path ?? "") {
      process.executableURL = productsDirectory().appendingPathComponent("CrashWriter")
    }
    process.arguments = [directory, String(known.next), String(random.next() >> 1)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var lines = LineReader(pipe.fileHandleForReading)
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      guard let line = lines.next() else { break }
      known.note(line)
    }
    // Kills within microseconds, which a sleep cannot time.
    var spin = UInt64.random(in: 0..<400_000, using: &random)
    while spin > 0 { spin -= 1 }
    kill(process.processIdentifier, SIGKILL)
    // Output before the death counts as acknowledged, too.
    while let line = lines.next() { known.note(line) }
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "the writer exited")
  }

  private func productsDirectory() -> URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }
}

extension KillTests.Acknowledged {
  fileprivate mutating func note(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 4, let group = Int(words[1]), let size = Int(words[2]),
      let end = UInt64(words[3])
    else {
      Issue.record("unexpected output: \(line)")
      return
    }
    switch words[0] {
    case "saved": sizes[group] = size
    case "deleting": doubtful.insert(group)
    default:
      deleted.insert(group)
      doubtful.remove(group)
    }
    self.end = max(self.end, end)
  }

  /// Records the outcome of unacknowledged deletions, which must not change from now on.
  fileprivate mutating func settle(_ groups: [Int: [Int]]) {
    for group in doubtful where groups[group] == nil { deleted.insert(group) }
    doubtful = []
  }
}

/// Reads a pipe line by line.
struct LineReader {
  private let handle: FileHandle
  private var buffer = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      let more = handle.availableData
      if more.isEmpty { return nil }
      buffer.append(more)
    }
  }
}
