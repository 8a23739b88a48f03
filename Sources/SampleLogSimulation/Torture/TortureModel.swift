/// What a store must hold, from what its writers said.
///
/// An operation is one commit: it saves a number of samples and deletes those of others. What was
/// begun and not answered may have happened or not; the next look at the store decides, for good.
package struct TortureModel: Sendable {
  /// What ended a run: the death of a process leaves what it wrote, that of power what is synced.
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
    /// Its last sequence number, once it is known.
    var last: UInt64?
  }

  /// Operations of the present run and of those before, as far back as feeds are followed.
  var operations: [UInt64: Operation] = [:]
  /// The samples of each operation that must be there, as of the last look.
  package internal(set) var alive: [UInt64: Int] = [:]
  /// Earlier states to follow the feed from: states and what was alive there.
  var states: [(end: UInt64, alive: [UInt64: Int])] = [(0, [:])]
  /// The highest sequence number that somebody was told of and that must survive.
  package internal(set) var acknowledged: UInt64 = 0
  /// What a reader of another process saw; it must never have seen more than what survives.
  package var seen: UInt64 = 0
  /// Where the durable subscription must be at least, and may be at most.
  var confirmed: UInt64 = 0
  var confirming: UInt64 = 0
  /// The same of the registration, whose acknowledgements may be buffered.
  var delivered: UInt64 = 0
  var deliveredDurably: UInt64 = 0
  var delivering: UInt64 = 0
  /// The number for the next run's first operation.
  package internal(set) var next: UInt64 = 1
  /// How many operations were acknowledged, and how many failed.
  package internal(set) var doneCount = 0
  package internal(set) var failedCount = 0
  package internal(set) var failures: [String] = []
  /// How many rows were saved with an acknowledgement.
  package internal(set) var sampleCount = 0
  /// The answers that did not come before the end, and how they turned out.
  package internal(set) var doubtfulCount = 0
  /// What was begun without power; nobody could expect an answer.
  private var lateCount = 0
  /// The samples that the last writer itself read before it closed the store.
  package internal(set) var readCount: Int?

  package init() {}

  /// Takes note of what a writer said.
  ///
  /// - Parameters:
  ///   - line: What it said.
  ///   - counts: Whether an acknowledgement counts; one given after power went does not.
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

  /// Forgets complaints of the last run, whose reader has read them.
  package mutating func beginRun() {
    failures = []
    readCount = nil
    lateCount = 0
  }

  /// Decides what became of every operation, as of a store that ended at `end`.
  ///
  /// - Parameters:
  ///   - present: How many samples of each operation the store has.
  ///   - end: The store's newest sequence number.
  ///   - ending: What ended the run.
  /// - Returns: Sentences about what must not be.
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
        // Sequence numbers say what became of those that were not promised to be durable.
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
    // From here on, what is there is what must be there.
    operations = [:]
    acknowledged = end
    seen = end
    return problems
  }

  /// Whether an operation of which nobody heard left anything.
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
        "operation \(number) saved \(size) samples, \(there) are there"
          + (there == 0 ? ": it is lost" : ": it is not whole"))
    }
    for number in present.keys.sorted() where alive[number] == nil {
      problems.append("operation \(number) was never saved, failed or was deleted, and is there")
    }
  }
}

extension TortureModel {
  /// How many samples there are when only what was acknowledged happened.
  package var acknowledgedSamples: Int {
    var later = self
    for (number, operation) in operations.sorted(by: { $0.key < $1.key })
    where operation.outcome == .done {
      later.apply(operation, number)
    }
    return later.alive.values.reduce(0, +)
  }
}
