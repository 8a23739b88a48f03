/// A commit in the queue: its records, the snapshot that they were prepared from, and its outcome.
final class PendingCommit: @unchecked Sendable {
  enum Outcome {
    case waiting
    case committed(first: UInt64)
    /// The samples that it depends on have changed; the caller must prepare it again.
    case stale
    case failed(any Error)
  }

  let preparation: Preparation
  let stored: StoredPayload
  /// The arrangement of rows in memtables and segments at the time of preparation, as a counter.
  let arrangement: Int
  let isDurable: Bool
  let hasSettings: Bool
  let hasDeletions: Bool
  // Written by the leader, read by the committing thread after the commit is done.
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

/// The group-commit queue: one leader at a time writes the commits of all waiting threads.
final class Committer: @unchecked Sendable {
  private let monitor = Monitor()
  private var queue: [PendingCommit] = []
  private var hasLeader = false
  private var lastGroupCount = 1
  private var exclusiveWaiters = 0
  /// Whether exclusive work precedes the next group.
  ///
  /// Exclusive work and groups alternate, so that neither starves.
  private var isExclusiveNext = false
  // A woken thread takes a few microseconds to arrive; one pause is about half a microsecond.
  private static let maximumPauses = 64

  // Accessed by the leader only.
  var writer: LogWriter?
  var next: UInt64
  var dependencies = RecentDependencies()
  /// The uncompressed size of the commits that this handle wrote to the active log, in bytes.
  var rawBytes = 0

  init(writer: LogWriter?, next: UInt64) {
    self.writer = writer
    self.next = next
  }

  /// The number of commits that wait for the current group.
  var waiting: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return queue.count
  }

  /// Blocks until a commit is done.
  ///
  /// Leads the next group if no other thread does.
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

  /// Runs a closure as leader, between groups.
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

  /// Takes the next group from the queue.
  ///
  /// First waits briefly for the committers of the last group to return.
  ///
  /// Threads that were woken together tend to commit again together. Without the pause, the first
  /// of them would lead a group of one, and the others would wait for its sync.
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

/// The bytes and records of a group so far, checked against the limits of a group.
package struct GroupRoom {
  package static let bytes = 64 << 20
  private var bytes = 0
  private var records = 0

  package init() {}

  /// Counts a commit and returns whether it fits into the group; the first one always does.
  package mutating func takes(bytes more: Int, records moreRecords: Int) -> Bool {
    let isFirst = records == 0
    bytes += more
    records += moreRecords
    return isFirst || (bytes <= Self.bytes && records <= StoreLimit.batchRecords.maximum)
  }
}
