internal import Dispatch
import SampleLog

/// Waits until enough replicas have reported that they have a primary's commits.
///
/// Many may wait at once; what one of them reads serves all.
final class CopyCounter: Sendable {
  private let database: Database
  private let transport: any StreamTransport
  private let queue = DispatchQueue(label: "samplelog.copies", qos: .userInitiated)
  private let known = Locked([String: ReplicaReport]())

  init(_ database: Database, _ transport: any StreamTransport) {
    self.database = database
    self.transport = transport
  }

  /// Waits until enough replicas have reported commits.
  ///
  /// - Parameters:
  ///   - count: How many replicas must have the commits.
  ///   - last: The last sequence number of the last commit.
  ///   - attempts: How often to look at most.
  ///   - check: Called now and then while there are too few, because the stream may have lost what
  ///     they wait for.
  /// - Throws: ``ReplicationError/notCopied(through:copies:wanted:)`` and what
  ///   `Database.holders(of:in:)` throws.
  func wait(
    for count: Int, through last: UInt64, attempts: Int, orElse check: () -> Void
  ) throws {
    var found = 0
    for attempt in 0..<max(attempts, 1) {
      if attempt > 0 { rest(attempt) }
      if attempt % 32 == 31 { check() }
      if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
      found = try queue.sync {
        let already = try database.holders(of: last, in: known.withLock { $0 }).count
        if already >= count { return already }
        // A stream that cannot be reached tells nothing.
        guard let reports = try transport.reachableReports(of: database.storeID) else {
          return already
        }
        known.withLock { $0 = reports }
        return try database.holders(of: last, in: reports).count
      }
      if found >= count { return }
    }
    throw ReplicationError.notCopied(through: last, copies: found, wanted: count)
  }

  /// Rests on the saver's own thread, the longer the more often it has looked already.
  private func rest(_ attempt: Int) {
    let microseconds = min(100 << min(attempt, 8), 16_000)
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
  }
}

extension Database {
  /// The names of the replicas that have the commits of this primary up to a sequence number on
  /// their disks, by what they have reported.
  ///
  /// - Throws: `StoreError.fenced` when a replica follows a newer epoch, whose record the stream
  ///   may have lost, and `StoreError.diverged` when one has commits of this epoch that this store
  ///   has not: then it has lost them, and would give their numbers to others. Either ends saving.
  package func holders(
    of last: UInt64, in reports: [String: ReplicaReport]
  ) throws -> [String] {
    if let newer = reports.values.first(where: { $0.term > term }) {
      fence(by: newer.epoch)
      throw StoreError.fenced(epoch: newer.epoch)
    }
    let own = reports.filter { $0.value.epoch == epoch }
    if let ahead = own.values.first(where: { $0.last > durableEnd }) {
      fence(by: epoch)
      throw StoreError.diverged(sequence: ahead.last)
    }
    return own.filter { $0.value.last >= last }.map(\.key)
  }
}

extension StreamTransport {
  /// Returns the last report of each replica, or nil if the stream cannot be reached.
  ///
  /// - Throws: `StoreError.unsupportedVersion` for the report of a newer program.
  func reachableReports(of store: Identifier) throws -> [String: ReplicaReport]? {
    do {
      return try reports(of: store)
    } catch let error as StoreError {
      throw error
    } catch {
      return nil
    }
  }
}
