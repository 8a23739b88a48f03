import Foundation
import SampleLog
import SampleLogReplication

/// A primary is stopped while it saves, a replica is promoted and saves, and the old primary
/// resumes.
///
/// No acknowledged commit may be lost or changed, and the old primary must detect its replacement.
struct ZombieHistory {
  let servers: NATSServers
  let folder: URL

  func run(_ round: Int) throws {
    let (old, new) = (folder.appending(path: "old").path, folder.appending(path: "new").path)
    let backup = folder.appending(path: "backup").path
    for path in [old, new, backup] { try? FileManager.default.removeItem(atPath: path) }
    let database = try Database(path: old)
    let storeID = database.storeID
    try database.commit(database.batch(1, from: 0))
    try database.backup(to: backup)
    try database.close()
    try Replica.make(from: backup, at: new, of: "old")
    let stream = try servers.connect(to: storeID)

    let saver = try SaverProcess(old, servers.options)
    saver.read(lines: 20 + 7 * round)
    saver.signal(SIGSTOP)
    let replica = try Replica(path: new, transport: stream)
    try replica.catchUp()
    try Promotion(replica).finish()
    try replica.close()
    let primary = try Primary.promote(new, transport: stream)
    for number in 0..<3 {
      try primary.commit(
        primary.database.batch(1, from: 1e6 + Double(number)), acknowledgement: .replicated)
    }
    saver.signal(SIGCONT)
    try expect(saver.finish(), "the old primary has not detected its replacement")
    try primary.commit(primary.database.batch(1, from: 2e6), acknowledgement: .replicated)

    let starts = try primary.database.starts
    for (sequence, start) in saver.acknowledged {
      try expect(
        starts[sequence] == start,
        "\(sequence) was acknowledged as \(start) and is \(starts[sequence] ?? -1)")
    }
    let epoch = primary.database.epoch
    try expect(saver.acknowledged.count >= 20, "the old primary acknowledged too little")
    try primary.close()
    try check(stream, storeID, epoch)
  }

  /// Checks that no message of the old epoch was accepted after the new one's record.
  private func check(
    _ stream: any StreamTransport, _ storeID: Identifier, _ epoch: UInt32
  ) throws {
    var reader = HistoryReader(storeID: storeID)
    while true {
      let messages = try stream.read(from: reader.cursor + 1, limit: 64)
      if messages.isEmpty { break }
      try reader.take(messages) { _ in }
    }
    try expect(reader.rejectedCount == 0, "\(reader.rejectedCount) messages were accepted too late")
    try expect(reader.writer?.epoch == epoch, "the stream ends in another epoch")
  }
}
