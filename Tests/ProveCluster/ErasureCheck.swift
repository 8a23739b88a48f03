import Foundation
import SampleLog
import SampleLogReplication

/// Searches the files of the copies and of real servers for the bytes of an erased subject.
struct ErasureCheck {
  let servers: NATSServers
  let folder: URL
  /// The source of the erased samples; names are stored unchanged, and small commits are not
  /// compressed.
  private let canary = "canary 8fd1c07e of ada"

  private func path(_ name: String) -> String { folder.appending(path: "erasure-" + name).path }

  /// Checks an erasure.
  ///
  /// Unless the check is brief, waits until the servers have compacted their own logs, which takes
  /// minutes in a cluster.
  func run(isBrief: Bool = false) throws {
    let (a, b, backup) = (path("a"), path("b"), path("backup"))
    let original = try Database(path: a)
    let storeID = original.storeID
    try original.commit(original.batch(1, from: 0))
    try original.backup(to: backup)
    try original.close()
    try Replica.make(from: backup, at: b, of: "a")
    let primary = try Primary(path: a, transport: try servers.connect(to: storeID))
    let replica = try Replica(path: b, transport: try servers.connect(to: storeID), name: "b")
    for _ in 0..<5 { try save(primary, "eve", canary) }
    try replica.catchUp(to: primary.database.end)
    for place in [a, b] + storage {
      try expect(try !files(in: place).isEmpty, "the canary is not in \(place)")
    }
    let erasure = try primary.database.erase(primary.database.symbols.intern("eve"))
    try primary.database.compact()
    // A server's file keeps these messages and would keep the purged ones beside them.
    for _ in 0..<40 { try save(primary, "ada", "watch") }
    guard let sequence = erasure.sequence else { throw Breach(description: "nothing was erased") }
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while primary.releasedThrough < sequence {
      _ = try? replica.step()
      primary.check()
      try expect(ContinuousClock.now < deadline, "the erasure is not confirmed")
      pause(0.05)
    }
    for place in [a, b] {
      let found = try files(in: place)
      try expect(found.isEmpty, "erased data is in \(found)")
    }
    let start = ContinuousClock.now
    var found = isBrief ? [] : try storage.flatMap(files)
    // Servers of a cluster compact their own logs after a while.
    while !found.isEmpty, ContinuousClock.now < deadline {
      try save(primary, "ada", "watch")
      pause(1)
      found = try storage.flatMap(files)
    }
    try expect(found.isEmpty, "erased data is in \(found)")
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    try replica.catchUp(to: primary.database.end)
    try expect(
      try replica.database.historyEnd == primary.database.historyEnd, "the copies differ")
    print(
      "\(servers.addresses.count) servers: no file of a copy has erased data"
        + (isBrief ? "" : ", and no file of a server \(seconds) s later"))
    try replica.close()
    try primary.close()
  }

  private var storage: [String] { servers.addresses.indices.map { servers.home($0).path } }

  private func save(_ primary: Primary, _ subject: String, _ source: String) throws {
    let database = primary.database
    var batch = Batch()
    batch.add(
      to: SeriesKey(
        subject: database.symbols.intern(subject), type: database.symbols.intern("heartRate")),
      start: 1, value: 60, source: database.symbols.intern(source))
    try primary.commit(batch, acknowledgement: .replicated)
  }

  /// Returns the files in a directory, at any depth, that contain the canary.
  private func files(in directory: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String }
    return (names ?? []).map { directory + "/" + $0 }.filter { path in
      // A server may remove a file after it was listed.
      (try? Data(contentsOf: URL(filePath: path)))?.range(of: Data(canary.utf8)) != nil
    }
  }
}
