import Foundation
import HealthStore
import SampleLog
import SampleLogReplication

/// A shard's store that is open in this process.
final class OpenShard: Sendable {
  enum Copy: Sendable {
    case primary(LeaseRenewer)
    case replica(ReplicaLoop)
  }

  /// The location of a copy and its options.
  struct Place: Sendable {
    var shard: String
    var path: String
    var transport: any StreamTransport
    var options: Database.Options
    var fileSystem: any FileSystem

    /// The holder name for the stream's lease.
    var holder: String { "\(ProcessInfo.processInfo.hostName):\(path)" }
  }

  let place: Place
  let copy: Copy
  let health: HealthDatabase

  init(_ place: Place, _ copy: Copy, confirmer: CommitConfirmer) {
    self.place = place
    self.copy = copy
    health = HealthDatabase(copy.database, confirmer: confirmer)
  }

  func start() {
    switch copy {
    case .primary(let renewer): renewer.start()
    case .replica(let loop): loop.start()
    }
  }

  func close() throws {
    switch copy {
    case .primary(let renewer): try renewer.close()
    case .replica(let loop): try loop.end()
    }
  }

  var status: ShardStatus {
    switch copy {
    case .primary(let renewer):
      return ShardStatus(
        shard: place.shard, role: .primary, end: copy.database.end,
        lag: renewer.primary.metrics().lag, needsBackup: false,
        failure: renewer.primary.failure ?? renewer.primary.gap.map { ReplicationError.gap($0) })
    case .replica(let loop):
      let (lag, needsBackup, failure) = loop.state.withLock {
        ($0.lag, $0.needsBackup, $0.failure)
      }
      return ShardStatus(
        shard: place.shard, role: .replica, end: copy.database.end, lag: lag,
        needsBackup: needsBackup, failure: failure)
    }
  }
}

extension OpenShard.Copy {
  var database: Database {
    switch self {
    case .primary(let renewer): renewer.primary.database
    case .replica(let loop): loop.database
    }
  }
}
