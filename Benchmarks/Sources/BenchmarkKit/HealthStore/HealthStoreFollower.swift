import Dispatch
import SampleLog

/// Reads our store's changes when its bell rings.
final class HealthStoreFollower: ChangeFollower {
  private let peer: HealthStorePeer
  private let bell = DispatchSemaphore(value: 0)
  private let subscription: Subscription

  init(_ peer: HealthStorePeer) {
    self.peer = peer
    let bell = bell
    subscription = peer.database.subscribe { _, _ in bell.signal() }
  }

  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    try peer.changes(after: sequence, of: type, limit: limit, into: &digest)
  }

  func wait() { bell.wait() }
  func wake() { bell.signal() }
}
