internal import Dispatch
import SampleLog

/// Removes erased data from the files of a replica.
extension Replica {
  /// The state of removing erased data.
  struct Removal {
    /// The last erasure through which no file of the replica has erased data.
    var erasedThrough: UInt64
    var isRunning = false
    var isClosed = false
    /// The number of steps until a removal that failed is repeated.
    var stepsLeft = 0
  }

  /// The number of steps after which a removal that failed, such as on a full disk, is repeated.
  private static let retryInterval = 4096

  /// Compacts the replica if it has applied an erasure since the last time.
  ///
  /// The compaction runs in the background, because it may take minutes, unless the store seals on
  /// the caller's thread. Reading and reporting continue meanwhile.
  func removeErased() {
    let erasure = database.lastErasure
    let isDue = removal.withLock { removal in
      guard removal.erasedThrough < erasure, !removal.isRunning else { return false }
      removal.stepsLeft -= 1
      removal.isRunning = removal.stepsLeft <= 0
      return removal.isRunning
    }
    guard isDue else { return }
    let work: @Sendable () -> Void = { [database, removal] in
      let done = try? database.removeErased { removal.withLock { $0.isClosed } }
      removal.withLock { removal in
        removal.isRunning = false
        removal.erasedThrough = done ?? removal.erasedThrough
        removal.stepsLeft = done == nil ? Replica.retryInterval : 0
      }
    }
    if database.options.sealsInBackground { removing.async(execute: work) } else { work() }
  }

  /// The last sequence number through which erased data is in no file of the replica.
  func erasedThrough(_ last: UInt64) -> UInt64 {
    let done = removal.withLock { $0.erasedThrough }
    return database.lastErasure <= done ? last : done
  }
}
