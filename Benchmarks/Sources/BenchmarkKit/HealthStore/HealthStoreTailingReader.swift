import Dispatch
import SampleLog

/// Reads our store's changes when it is notified of a commit.
final class HealthStoreTailingReader: TailingReader {
  private let peer: HealthStorePeer
  private let notice = DispatchSemaphore(value: 0)
  private let observation: CommitObservation

  init(_ peer: HealthStorePeer) {
    self.peer = peer
    let notice = notice
    observation = peer.database.observe { _ in notice.signal() }
  }

  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    try peer.changes(after: sequence, of: type, limit: limit, into: &digest)
  }

  func wait() { notice.wait() }
  func wake() { notice.signal() }
}
