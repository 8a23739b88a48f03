package import SampleLogReplication

/// What a simulated stream does to those who use it.
package struct StreamFaults: Sendable {
  /// One append of this many gets no answer: it was lost, arrived, or arrives later; 0 for none.
  package var silence = 0
  /// One answer of this many is old; 0 for none.
  package var staleness = 0
  /// Whether every append is lost.
  package var isDead = false
  /// Whether answers come in another order, with repetitions.
  package var shuffles = false

  package init() {}
}

/// A stream in memory with the faults of a real one, decided by a seed.
///
/// Appends are checked where they are applied, and one that got no answer may be applied when
/// nobody expects it any more. One thread uses it.
package final class SimulatedStream: StreamTransport, @unchecked Sendable {
  package var faults = StreamFaults()
  /// The messages that are there, and the sequence number of the one before the first.
  private var messages: [[UInt8]] = []
  private var base: UInt64 = 0
  private var late: [(bytes: [UInt8], expected: UInt64)] = []
  private var random: Seeded
  private var holder: String?
  /// The last reports of each replica, the newest last.
  private var reported: [String: [Report]] = [:]
  /// Which disk each replica has, counted from 0 on.
  var disks: [String: Int] = [:]
  /// What was answered to the last question for reports since this was set to nil.
  var lastAnswer: [String: Report]?
  /// The greatest sequence number that a replica has ever reported of each epoch.
  private(set) var furthest: [UInt32: UInt64] = [:]
  /// How many appends were tried.
  private(set) var appendCount = 0

  /// A report, and the disk that it was made of.
  struct Report {
    var bytes: [UInt8]
    var disk: Int
  }

  package init(seed: UInt64) { random = Seeded(mixing: seed, 0x73) }

  /// The sequence number of the last message.
  package var last: UInt64 { base + UInt64(messages.count) }
  /// The first message that is there; nil without one.
  var firstMessage: [UInt8]? { messages.first }
  /// The sequence number of the first message that is there.
  package var first: UInt64 { base + 1 }

  private func oneIn(_ cases: Int) -> Bool { cases > 0 && random.oneIn(cases) }

  package func end() throws -> UInt64 {
    guard oneIn(faults.staleness) else { return last }
    return last - UInt64(random.below(min(4, messages.count + 1)))
  }

  package func append(_ bytes: [UInt8], expecting expected: UInt64) throws -> AppendOutcome {
    appendCount += 1
    if faults.isDead { return .unknown }
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

  /// Applies one of the appends that got no answer.
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

  /// All messages, without faults.
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

  /// Loses the newest messages, as servers do that lost power before they wrote them.
  ///
  /// A stream of which nothing is left is made again, as its operator would have to.
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

  /// The newest reports that are there.
  var newestReports: [String: Report] { reported.compactMapValues(\.last) }

  /// Loses all reports, as servers do that keep them in memory.
  package func wipeReports() { reported = [:] }

  /// What the messages say, one in a line.
  package var description: String {
    messages.enumerated().reduce(into: "") { text, stored in
      guard let message = try? Message(stored.element) else { return }
      let writer = message.writer
      text +=
        "\(first + UInt64(stored.offset)): epoch \(writer.epoch) term \(writer.term) from "
        + "\(writer.epochFirst), \(message.first)-\(message.last)\n"
    }
  }

  /// Loses everything, and begins from 1 again.
  package func recreate() {
    messages = []
    base = 0
    late = []
  }
}
