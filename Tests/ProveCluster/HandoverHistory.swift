import Foundation
import SampleLog
import SampleLogReplication

/// A replica replaces a primary that saves without a pause.
///
/// No commit may be lost, whether it was acknowledged or not.
struct HandoverHistory {
  let servers: NATSServers
  let folder: URL

  func run() throws {
    let (old, new) = (folder.appending(path: "from").path, folder.appending(path: "to").path)
    let backup = folder.appending(path: "handover-backup").path
    for path in [old, new, backup] { try? FileManager.default.removeItem(atPath: path) }
    let database = try Database(path: old)
    let storeID = database.storeID
    try database.commit(database.batch(1, from: 0))
    try database.backup(to: backup)
    try database.close()
    try Replica.make(from: backup, at: new, of: "from")
    let stream = try servers.connect(to: storeID)

    let saver = try SaverProcess(old, servers.options)
    saver.read(lines: 100)
    let replica = try Replica(path: new, transport: stream)
    try Promotion(replica, asksPrimary: true).finish()
    try replica.close()
    let primary = try Primary.promote(new, transport: stream)
    try primary.commit(primary.database.batch(1, from: 1e6), acknowledgement: .replicated)
    let end = DispatchTime.now()
    try expect(saver.finish(), "the old primary has not detected its replacement")

    let starts = try primary.database.starts
    let replaced = try Database(path: old, mode: .readOnly)
    for (sequence, start) in try replaced.starts {
      try expect(starts[sequence] == start, "\(sequence) is not in the new history")
    }
    for (sequence, start) in saver.acknowledged {
      try expect(starts[sequence] == start, "\(sequence) was acknowledged and is lost")
    }
    try primary.close()
    guard let last = saver.lastTime else {
      throw Breach(description: "the primary had confirmed no save")
    }
    let pause = Double(end.uptimeNanoseconds - last.uptimeNanoseconds) / 1e9
    print(
      String(
        format: "%d servers: a saving primary was replaced after %d saves, with a pause of %.2f s",
        servers.addresses.count, saver.acknowledged.count, pause))
  }
}
