/// The expected contents of a store, derived from its writers' output.
///
/// An operation is one commit: it saves a number of samples and deletes those of others. An
/// operation that was begun but not answered may or may not have been committed; the next check of
/// the store determines which.
package struct TortureModel: Sendable {
  /// The way in which a run ended.
  ///
  /// Killing a process preserves everything it wrote; a power cut preserves only synced data.
  package enum Ending: Sendable { case process, power }

  enum Outcome: Equatable {
    case begun
    case done
    case failed
  }

  struct Operation {
    var size: Int
    var deleting: [UInt64]
    var isDurable: Bool
    var outcome = Outcome.begun
    /// The last sequence number, once known.
    var last: UInt64?
  }

  /// The operations since the last check.
  var operations: [UInt64: Operation] = [:]
  /// The number of live samples of each operation, as of the last check.
  package internal(set) var alive: [UInt64: Int] = [:]
  /// Earlier states from which the feed is followed, with the live samples of each.
  var states: [(end: UInt64, alive: [UInt64: Int])] = [(0, [:])]
  /// The highest sequence number that was acknowledged and must survive.
  package internal(set) var acknowledged: UInt64 = 0
  /// The highest sequence number that a reader in another process saw; it must survive.
  package var seen: UInt64 = 0
  /// The minimum and maximum position of the durable subscription.
  var confirmed: UInt64 = 0
  var confirming: UInt64 = 0
  /// The minimum position of the registration after a killed process and after a power cut, and its
  /// maximum position.
  var delivered: UInt64 = 0
  var deliveredDurably: UInt64 = 0
  var delivering: UInt64 = 0
  /// The number of the next run's first operation.
  package internal(set) var next: UInt64 = 1
  /// The numbers of acknowledged and failed operations.
  package internal(set) var doneCount = 0
  package internal(set) var failedCount = 0
  package internal(set) var failures: [String] = []
  /// The number of rows in acknowledged operations.
  package internal(set) var sampleCount = 0
  /// The number of unanswered operations, except those begun after a power cut.
  package internal(set) var doubtfulCount = 0
  /// The number of operations begun after the power cut, which cannot be answered.
  private var lateCount = 0
  /// The number of samples that the last writer read before it closed the store.
  package internal(set) var readCount: Int?

  package init() {}

  /// Records a writer's line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - counts: Whether acknowledgements count; those after a power cut do not.
  package mutating func note(_ line: TortureLine, counts: Bool = true) {
    if case .begun(let operation, let size, let isDurable, let deleting) = line {
      lateCount += counts ? 0 : 1
      next = max(next, operation + 1)
      operations[operation] = Operation(size: size, deleting: deleting, isDurable: isDurable)
      return
    }
    if case .confirming(let sequence) = line {
      confirming = max(confirming, sequence)
      return
    }
    if case .delivering(let sequence) = line {
      delivering = max(delivering, sequence)
      return
    }
    guard counts else { return }
    switch line {
    case .done(let operation, _, let last):
      operations[operation]?.outcome = .done
      operations[operation]?.last = last
      doneCount += 1
      sampleCount += operations[operation]?.size ?? 0
      if operations[operation]?.isDurable == true { acknowledged = max(acknowledged, last) }
    case .failed(let operation, let reason):
      operations[operation]?.outcome = .failed
      failedCount += 1
      failures.append("operation \(operation): \(reason)")
    case .confirmed(let sequence): confirmed = max(confirmed, sequence)
    case .delivered(let sequence, let isDurable):
      delivered = max(delivered, sequence)
      if isDurable { deliveredDurably = max(deliveredDurably, sequence) }
    case .flushed(let end): acknowledged = max(acknowledged, end)
    case .read(let count): readCount = count
    case .note(let text) where text.contains("failed"): failures.append(text)
    case .opened, .note, .begun, .confirming, .delivering: break
    }
  }

  /// Clears the failures of the last run, which have been reported.
  package mutating func beginRun() {
    failures = []
    readCount = nil
    lateCount = 0
  }

  /// Decides the outcome of every operation, given the contents of a store.
  ///
  /// - Parameters:
  ///   - present: The number of samples of each operation in the store.
  ///   - end: The store's newest sequence number.
  ///   - ending: The way in which the run ended.
  /// - Returns: Descriptions of the violations.
  mutating func settle(
    _ present: [UInt64: Int], end: UInt64, _ ending: Ending
  ) -> [String] {
    var problems: [String] = []
    doubtfulCount += operations.values.count { $0.outcome == .begun } - lateCount
    if end < acknowledged { problems.append("\(acknowledged) was acknowledged, the end is \(end)") }
    if end < seen { problems.append("a reader saw \(seen), and the end is \(end)") }
    for (number, operation) in operations.sorted(by: { $0.key < $1.key }) {
      switch operation.outcome {
      case .failed: operations[number] = nil
      case .done:
        // For buffered operations, sequence numbers decide whether they survived.
        if ending == .power, !operation.isDurable, let last = operation.last, last > end {
          operations[number] = nil
        } else {
          apply(operation, number)
        }
      case .begun:
        if happened(operation, number, present, &problems) {
          apply(operation, number)
          operations[number]?.outcome = .done
        } else {
          operations[number] = nil
        }
      }
    }
    compare(present, &problems)
    // The current contents become the expected contents.
    operations = [:]
    acknowledged = end
    seen = end
    return problems
  }

  /// Returns whether an unanswered operation left any effect.
  private func happened(
    _ operation: Operation, _ number: UInt64, _ present: [UInt64: Int],
    _ problems: inout [String]
  ) -> Bool {
    if present[number] != nil { return true }
    // The same thread may have deleted its samples again.
    let wasDeleted = operations.values.contains { $0.deleting.contains(number) }
    guard operation.size == 0 || wasDeleted else { return false }
    return operation.deleting.contains { alive[$0] != nil && present[$0] == nil }
  }

  private mutating func apply(_ operation: Operation, _ number: UInt64) {
    if operation.size > 0 { alive[number] = operation.size }
    for gone in operation.deleting { alive[gone] = nil }
  }

  private func compare(_ present: [UInt64: Int], _ problems: inout [String]) {
    for (number, size) in alive.sorted(by: { $0.key < $1.key }) where present[number] != size {
      let there = present[number] ?? 0
      problems.append(
        "operation \(number) saved \(size) samples, \(there) are present"
          + (there == 0 ? ": it is lost" : ": it is incomplete"))
    }
    for number in present.keys.sorted() where alive[number] == nil {
      problems.append("operation \(number) failed, was deleted or never saved, and is present")
    }
  }
}

extension TortureModel {
  /// The number of samples if only acknowledged operations were committed.
  package var acknowledgedSamples: Int {
    var later = self
    for (number, operation) in operations.sorted(by: { $0.key < $1.key })
    where operation.outcome == .done {
      later.apply(operation, number)
    }
    return later.alive.values.reduce(0, +)
  }
}
