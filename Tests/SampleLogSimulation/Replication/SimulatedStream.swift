package import SampleLogReplication

/// The faults of a simulated stream.
package struct StreamFaults: Sendable {
  /// One in this many appends is not answered: it is lost, applied, or applied later.
  ///
  /// 0 for none.
  package var silence = 0
  /// One in this many answers is stale; 0 for none.
  package var staleness = 0
  /// Whether every append is lost.
  package var hasCrashed = false
  /// Whether answers are reordered and duplicated.
  package var shuffles = false

  package init() {}
}

/// An in-memory stream with the faults of a real one, determined by a seed.
///
/// Appends are checked when they are applied. An unanswered append may be applied much later. Not
/// safe for concurrent use.
package final class SimulatedStream: StreamTransport, @unchecked Sendable {
  package var faults = StreamFaults()
  /// The retained messages, and the sequence number before the first.
  private(set) var messages: [[UInt8]] = []
  private var base: UInt64 = 0
  private var late: [(bytes: [UInt8], expected: UInt64)] = []
  private var random: Seeded
  private var holder: String?
  /// The latest reports of each replica, newest last.
  private var reported: [String: [Report]] = [:]
  /// The number of each replica's current disk, starting at 0.
  var disks: [String: Int] = [:]
  /// The last answer to a request for reports since this was set to nil.
  var lastAnswer: [String: Report]?
  /// The greatest sequence number that any replica has reported, by epoch.
  private(set) var furthest: [UInt32: UInt64] = [:]
  /// The number of attempted appends.
  private(set) var appendCount = 0

  /// A report, with the disk number at that time.
  struct Report {
    var bytes: [UInt8]
    var disk: Int
  }

  package init(seed: UInt64) { random = Seeded(mixing: seed, 0x73) }

  /// The sequence number of the last message.
  package var last: UInt64 { base + UInt64(messages.count) }
  /// The first retained message, or nil if there is none.
  var firstMessage: [UInt8]? { messages.first }
  /// The sequence number of the first retained message.
  package var first: UInt64 { base + 1 }

  private func oneIn(_ cases: Int) -> Bool { cases > 0 && random.oneIn(cases) }

  package func end() throws -> UInt64 {
    guard oneIn(faults.staleness) else { return last }
    return last - UInt64(random.below(min(4, messages.count + 1)))
  }

  package func append(_ bytes: [UInt8], expecting expected: UInt64) throws -> AppendOutcome {
    appendCount += 1
    if faults.hasCrashed { return .unknown }
    if random.oneIn(2) { deliverLate() }
    if oneIn(faults.silence) {
      switch random.below(3) {
      case 0: break
      case 1: _ = apply(bytes, expected)
      default: late.append((bytes, expected))
      }
      return .unknown
    }
    return apply(bytes, expected)
  }

  private func apply(_ bytes: [UInt8], _ expected: UInt64) -> AppendOutcome {
    guard expected == last else { return .refused }
    messages.append(bytes)
    return .accepted(last)
  }

  /// Applies one of the unanswered appends.
  package func deliverLate() {
    if late.isEmpty { return }
    let append = late.remove(at: random.below(late.count))
    _ = apply(append.bytes, append.expected)
  }

  package func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    let end = try self.end()
    let start = max(sequence, first)
    guard start <= end else { return [] }
    let count = min(end - start + 1, UInt64(limit))
    var found = (start..<start + count).map {
      StreamMessage(sequence: $0, bytes: messages[Int($0 - first)])
    }
    guard faults.shuffles, limit > 1 else { return found }
    if let one = found.randomElement(using: &random), random.oneIn(4) { found.append(one) }
    if random.oneIn(2) { found.shuffle(using: &random) }
    return found
  }

  /// Returns all messages, without faults.
  func everything() -> [StreamMessage] {
    messages.enumerated().map { StreamMessage(sequence: first + UInt64($0), bytes: $1) }
  }

  package func lease(holder: String, seconds: Double) throws -> Bool {
    if self.holder == nil || random.oneIn(2) { self.holder = holder }
    return self.holder == holder
  }

  package func trim(through sequence: UInt64) throws {
    let count = Int(min(sequence, last) - min(base, sequence))
    messages.removeFirst(count)
    base += UInt64(count)
  }

  /// Loses the newest messages, like servers that lose power before writing them.
  ///
  /// If no message is left, the stream is re-created, as its operator would have to.
  package func truncate(_ count: Int) {
    messages.removeLast(min(count, messages.count))
    if messages.isEmpty { recreate() }
  }

  package func report(_ report: [UInt8], from replica: String) throws {
    if oneIn(faults.silence) { return }
    if let read = try ReplicaReport(report) {
      furthest[read.epoch] = max(furthest[read.epoch, default: 0], read.last)
    }
    let kept = reported[replica, default: []].suffix(2)
    reported[replica] = kept + [Report(bytes: report, disk: disks[replica, default: 0])]
  }

  package func reports() throws -> [String: [UInt8]] {
    var answer: [String: Report] = [:]
    for (replica, kept) in reported.sorted(by: { $0.key < $1.key }) {
      answer[replica] = oneIn(faults.staleness) ? kept.randomElement(using: &random) : kept.last
    }
    lastAnswer = answer
    return answer.mapValues(\.bytes)
  }

  /// The newest retained reports.
  var newestReports: [String: Report] { reported.compactMapValues(\.last) }

  /// Loses all reports, like servers that keep them in memory.
  package func wipeReports() { reported = [:] }

  /// Expires the reports of a replica that no longer sends any.
  package func expireReports(of replica: String) { reported[replica] = nil }

  /// A description of the messages, one per line.
  package var description: String {
    messages.enumerated().reduce(into: "") { text, stored in
      guard let message = try? Message(stored.element) else { return }
      let writer = message.writer
      text +=
        "\(first + UInt64(stored.offset)): epoch \(writer.epoch) term \(writer.term) from "
        + "\(writer.epochFirst), \(message.first)-\(message.last)\n"
    }
  }

  /// Removes all messages and restarts at 1.
  package func recreate() {
    messages = []
    base = 0
    late = []
  }
}
