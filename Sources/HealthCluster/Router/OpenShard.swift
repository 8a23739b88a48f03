import Foundation
import HealthStore
import SampleLog
import SampleLogReplication

/// A shard's store that is open in this process.
final class OpenShard: Sendable {
  enum Copy: Sendable {
    case primary(PrimaryKeeper)
    case replica(ReplicaFollower)
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

  init(_ place: Place, _ copy: Copy, host: StoreHost) {
    self.place = place
    self.copy = copy
    health = HealthDatabase(copy.database, host: host)
  }

  func start() {
    switch copy {
    case .primary(let keeper): keeper.keep()
    case .replica(let follower): follower.follow()
    }
  }

  func close() throws {
    switch copy {
    case .primary(let keeper): try keeper.close()
    case .replica(let follower): try follower.end()
    }
  }

  var status: ShardStatus {
    switch copy {
    case .primary(let keeper):
      return ShardStatus(
        shard: place.shard, role: .primary, end: copy.database.end,
        lag: keeper.primary.metrics().lag, needsBackup: false,
        failure: keeper.primary.failure ?? keeper.primary.gap.map { ReplicationError.gap($0) })
    case .replica(let follower):
      let (lag, needsBackup, failure) = follower.state.withLock {
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
    case .primary(let keeper): keeper.primary.database
    case .replica(let follower): follower.database
    }
  }
}
