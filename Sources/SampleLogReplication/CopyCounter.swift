internal import Dispatch
import SampleLog

/// The wait for enough replicas to report that they have a primary's commits.
///
/// Several threads can wait at the same time; they share the reports that one of them reads.
final class CopyCounter: Sendable {
  private let database: Database
  private let transport: any StreamTransport
  private let queue = DispatchQueue(label: "samplelog.copies", qos: .userInitiated)
  private let known = Locked([String: ReplicaReport]())
  private let services: ServiceOutages

  init(_ database: Database, _ transport: any StreamTransport, _ services: ServiceOutages) {
    self.database = database
    self.transport = transport
    self.services = services
  }

  /// Waits until enough replicas have reported commits.
  ///
  /// - Parameters:
  ///   - count: The number of replicas that must have the commits.
  ///   - last: The last sequence number of the last commit.
  ///   - attempts: The maximum number of attempts.
  ///   - check: A function that is called on every 32nd attempt, because the stream may have lost
  ///     the commits that the replicas need.
  /// - Throws: ``ReplicationError/notCopied(through:copies:wanted:)`` and the errors of
  ///   `Database.holders(of:in:)`.
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
        // An unreachable stream provides no reports.
        guard let reports = try reachableReports() else { return already }
        known.withLock { $0 = reports }
        return try database.holders(of: last, in: reports).count
      }
      if found >= count { return }
    }
    throw ReplicationError.notCopied(through: last, copies: found, wanted: count)
  }

  /// Returns the last report of each replica, or nil if the reports cannot be read.
  private func reachableReports() throws -> [String: ReplicaReport]? {
    // A report of a newer program is no outage.
    let reports = try? services.request(.reports) { try transport.reports() }
    return try reports.map { try ReplicaReport.decode($0, of: database.storeID) }
  }

  /// Blocks the committing thread for 0.5 ms, and after 16 attempts, by which most replicas have
  /// reported, for 16 ms.
  private func rest(_ attempt: Int) {
    let microseconds = attempt <= 16 ? 500 : 16_000
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
  }
}

extension Database {
  /// Returns the replicas that have reported this primary's commits as durable.
  ///
  /// - Returns: The names of the replicas that have the commits through the sequence number.
  /// - Throws: `StoreError.fenced` if a replica follows a newer epoch, whose record the stream may
  ///   have lost, and `StoreError.diverged` if a replica has commits of this epoch that this store
  ///   does not have. In that case the store has lost them and would assign their sequence numbers
  ///   again. Either error fences the store.
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
