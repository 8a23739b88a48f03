import Foundation
import SampleLog

/// A primary and two replicas in separate processes, and their recovery from failures.
///
/// After a month of data the primary is killed, a replica is promoted, and the old primary rejoins
/// as a replica; then the primary and all servers lose their disks.
struct Demo {
  let servers: NATSServers
  let folder: URL

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func tool(_ arguments: String...) throws -> ToolRun {
    try ToolRun(arguments + servers.addresses.flatMap { ["--server", $0] }, in: folder)
  }

  private func local(_ arguments: String...) throws -> String {
    try ToolRun(arguments, in: folder).finish()
  }

  /// Writes heart rates every few seconds as JSON lines.
  private func write(_ name: String, _ numbers: Range<Int>) throws -> String {
    var text = ""
    for number in numbers {
      let date = Date(timeIntervalSince1970: 1_730_419_200 + Double(number) * 5)
      let uuid = String(format: "00000000-0000-4000-8000-%012X", number)
      text += #"{"uuid":"\#(uuid)","type":"heartRate","start":"\#(date.ISO8601Format())","#
      text += #""value":\#(60 + number % 40),"unit":"count/min","source":"Watch"}"# + "\n"
    }
    try Data(text.utf8).write(to: folder.appending(path: name))
    return path(name)
  }

  func run(samples: Int) throws {
    let streamServers = String(servers.addresses.count)
    let month = try write("month.jsonl", 0..<samples)
    let more = try write("more.jsonl", samples..<samples + samples / 4)
    let first = try write("first.jsonl", 0..<10)
    // Creates another store's stream once the servers have formed a cluster.
    _ = try servers.connect(to: Identifier(high: 6, low: 5))
    say("1. a store with its first samples, a backup of it, and two replicas of the backup")
    try tool(
      "primary", first, "--store", path("a"), "--stream-servers", streamServers,
      "--stream-bytes", "268435456"
    ).finish()
    _ = try local("backup", "--store", path("a"), path("backup"))
    let replicas = try ["b", "c"].map {
      try tool("replica", path($0), "--from", path("backup"))
    }

    say("2. a month of data is saved; the replicas follow")
    let start = ContinuousClock.now
    let saving = try tool("primary", month, "--store", path("a"))
    try waitFor("b", samples / 3)
    let anchor = try self.anchor("b", after: nil)
    say("   a subscriber of b has an anchor in the midst of it")
    print(try saving.finish().trimmingCharacters(in: .newlines))
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    say("   \(samples) samples in \(text(seconds)) s, published")
    for name in ["b", "c"] { try waitFor(name, samples) }
    let rest = try changes("c", after: anchor.text)
    try expect(
      anchor.changes + rest == samples,
      "the subscriber saw \(anchor.changes) changes on b and \(rest) on c, of \(samples)")
    say(
      "   with its anchor of b it continues at c: \(anchor.changes) and \(rest) changes, each once")

    say("3. the primary saves on and is killed; b is promoted")
    let dying = try tool("primary", more, "--store", path("a"))
    try waitFor("b", samples + samples / 16)
    dying.finishKilled()
    replicas[0].signal(SIGTERM)
    try replicas[0].finish()
    let killed = ContinuousClock.now
    print(try tool("promote", path("b")).finish().trimmingCharacters(in: .newlines))
    let away = (ContinuousClock.now - killed) / .seconds(1)
    say("   \(text(away)) s after its death there is another; its lease lasted up to 2 s of them")

    say("4. the rest is saved in b; a rejoins as a replica")
    print(
      try tool("primary", more, "--store", path("b")).finish()
        .trimmingCharacters(in: .newlines))
    let total = samples + samples / 4
    try waitFor("c", total)
    _ = try local("backup", "--store", path("b"), path("backup-b"))
    try tool("primary", "--store", path("a")).finish(status: 8)
    let back = try tool(
      "replica", path("a"), "--keep", path("kept"), "--from", path("backup-b"), "--once")
    print(try back.finish().trimmingCharacters(in: .newlines))
    replicas[1].signal(SIGTERM)
    try replicas[1].finish()
    try compare(["a", "b", "c"], total)
    print(try tool("cluster", path("c")).finish().trimmingCharacters(in: .newlines))
    try loseDisks(total)
  }

  /// Commits that replicas have confirmed survive the loss of the primary's and all servers' disks.
  private func loseDisks(_ total: Int) throws {
    say("5. samples are saved that both replicas confirm; b and all servers lose their disks")
    let last = try write("last.jsonl", total..<total + 100)
    let waiting = try tool("primary", last, "--store", path("b"), "--copies", "2")
    try waitFor("b", total + 100)
    waiting.signal(SIGTERM)
    try waiting.finish(status: 143)
    let replicas = try ["a", "c"].map { try tool("replica", path($0), "--name", $0) }
    print(
      try tool("primary", last, "--store", path("b"), "--copies", "2").finish()
        .trimmingCharacters(in: .newlines))
    for number in servers.addresses.indices { servers.kill(number) }
    for number in servers.addresses.indices { try servers.removeFiles(number) }
    try FileManager.default.removeItem(atPath: path("b"))
    for replica in replicas {
      replica.signal(SIGTERM)
      try replica.finish()
    }
    for number in servers.addresses.indices { try servers.start(number) }
    // Creates another store's stream once the servers have formed a cluster.
    _ = try servers.connect(to: Identifier(high: 6, low: 6))
    let refusal = try tool("promote", path("a")).finish(status: 1)
    try expect(refusal.contains("do not have the stream"), refusal)
    print(
      try tool(
        "promote", path("a"), "--new-stream", "--stream-servers", String(servers.addresses.count),
        "--stream-bytes", "268435456"
      ).finish().trimmingCharacters(in: .newlines))
    try tool("replica", path("c"), "--once").finish()
    try compare(["a", "c"], total + 100)
  }

  /// Checks that all stores have the same samples and are intact.
  private func compare(_ names: [String], _ total: Int) throws {
    let texts = try names.map { name in
      _ = try local("verify", path(name))
      return try local("export", "--store", path(name), "--all-subjects", "--format", "jsonl")
        .split(separator: "\n").filter { !$0.hasPrefix("anchor ") }
    }
    try expect(texts[0].count == total, "\(names[0]) has \(texts[0].count) samples of \(total)")
    try expect(Set(texts).count == 1, "the stores differ")
    let ends = try names.map { try Database(path: path($0), mode: .readOnly).end }
    try expect(Set(ends).count == 1, "the stores end at \(ends)")
    say(
      "   \(names.joined(separator: ", ")) verify, and have the same \(total) samples under the "
        + "same numbers")
  }

  private func waitFor(_ name: String, _ end: Int) throws {
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while true {
      if let database = try? Database(path: path(name), mode: .readOnly),
        database.end >= UInt64(end)
      {
        return
      }
      try expect(ContinuousClock.now < deadline, "\(name) does not reach \(end)")
      pause(0.02)
    }
  }

  /// Returns the changes that a subscriber sees, and its anchor.
  private func anchor(_ name: String, after: String?) throws -> (text: String, changes: Int) {
    let lines = try local("changes", path(name)).split(separator: "\n")
    guard let last = lines.last, last.hasPrefix(#"{"anchor":""#) else {
      throw Breach(description: "no anchor of \(name)")
    }
    return (String(last.dropFirst(11).dropLast(2)), lines.count { $0.hasPrefix(#"{"kind""#) })
  }

  private func changes(_ name: String, after anchor: String) throws -> Int {
    try local("changes", path(name), "--after", anchor).split(separator: "\n")
      .count { $0.hasPrefix(#"{"kind""#) }
  }

  private func say(_ line: String) { print(line) }

  private func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }
}
