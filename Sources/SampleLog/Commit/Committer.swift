/// A commit on its way: what it changes, what that was decided from, and how it ended.
final class PendingCommit: @unchecked Sendable {
  enum Outcome {
    case waiting
    case committed(first: UInt64)
    /// Something it depends on changed; it must be prepared again.
    case stale
    case failed(any Error)
  }

  let preparation: Preparation
  let stored: StoredPayload
  /// The arrangement of the files that it was prepared from.
  let arrangement: Int
  let isDurable: Bool
  let hasSettings: Bool
  let hasDeletions: Bool
  // Written by the leader, read by the owner once it is done.
  var outcome = Outcome.waiting
  // Guarded by the committer's monitor.
  fileprivate var isDone = false

  init(_ preparation: Preparation, _ stored: StoredPayload, arrangement: Int, isDurable: Bool) {
    self.preparation = preparation
    self.stored = stored
    self.arrangement = arrangement
    self.isDurable = isDurable
    hasSettings = !preparation.payload.settings.isEmpty
    hasDeletions = preparation.payload.deletions.count > 0
  }

  var payload: CommitPayload { preparation.payload }
}

/// The queue in front of the log: one leader at a time writes for all who wait.
final class Committer: @unchecked Sendable {
  private let monitor = Monitor()
  private var queue: [PendingCommit] = []
  private var hasLeader = false
  private var lastGroupCount = 1
  private var exclusiveWaiters = 0
  /// Whether exclusive work goes before the next group; they take turns, so that neither starves.
  private var isExclusiveNext = false
  // Threads that were just woken take some microseconds to be there; a pause is half of one.
  private static let maximumPauses = 64

  // Touched by the leader only.
  var writer: LogWriter?
  var next: UInt64
  var dependencies = RecentDependencies()
  /// Bytes committed to the active log by this handle, before compression.
  var rawBytes = 0

  init(writer: LogWriter?, next: UInt64) {
    self.writer = writer
    self.next = next
  }

  /// How many commits wait for the one that is being written.
  var waiting: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return queue.count
  }

  /// Waits until a commit is done, leading the next group when nobody else does.
  func submit(_ pending: PendingCommit, lead: ([PendingCommit]) -> Void) {
    monitor.lock()
    queue.append(pending)
    while !pending.isDone {
      if hasLeader || (isExclusiveNext && exclusiveWaiters > 0) {
        monitor.wait()
        continue
      }
      hasLeader = true
      isExclusiveNext = true
      let group = gather()
      monitor.unlock()
      lead(group)
      monitor.lock()
      for one in group { one.isDone = true }
      hasLeader = false
      monitor.broadcast()
    }
    monitor.unlock()
  }

  /// Runs something as leader, between groups.
  func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    monitor.lock()
    exclusiveWaiters += 1
    while hasLeader || (!isExclusiveNext && !queue.isEmpty) { monitor.wait() }
    exclusiveWaiters -= 1
    hasLeader = true
    isExclusiveNext = false
    monitor.unlock()
    defer {
      monitor.lock()
      hasLeader = false
      monitor.broadcast()
      monitor.unlock()
    }
    return try body()
  }

  /// Takes the next group, giving those who were in the last one a moment to come back.
  ///
  /// Savers that were woken together save again together; whoever is first would otherwise lead
  /// a group of one and make the others wait for a sync of its own.
  private func gather() -> [PendingCommit] {
    var pauses = 0
    while queue.count < lastGroupCount, pauses < Self.maximumPauses {
      monitor.pause()
      pauses += 1
    }
    var room = GroupRoom()
    let group = Array(
      queue.prefix { room.takes(bytes: $0.stored.bytes.count, records: $0.payload.recordCount) })
    queue.removeFirst(group.count)
    lastGroupCount = group.count
    return group
  }
}

/// How much of a queue is written at once: a number of bytes and records, and always one commit.
package struct GroupRoom {
  package static let bytes = 64 << 20
  private var bytes = 0
  private var records = 0

  package init() {}

  /// Whether a commit is written together with those before it.
  package mutating func takes(bytes more: Int, records moreRecords: Int) -> Bool {
    let isFirst = records == 0
    bytes += more
    records += moreRecords
    return isFirst || (bytes <= Self.bytes && records <= StoreLimit.batchRecords.maximum)
  }
}
