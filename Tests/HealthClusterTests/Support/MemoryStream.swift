import SampleLog
import SampleLogReplication

struct StreamIsDown: Error {}

/// A thread-safe stream in memory.
///
/// Its only fault is that it can be unreachable.
final class MemoryStream: StreamTransport {
  private struct State {
    var messages: [[UInt8]] = []
    /// The number of messages that the stream has lost, counted from the first.
    var lost = 0
    var isDown = false
    var holder: String?
    var reports: [String: [UInt8]] = [:]
  }

  private let state = Locked(State())

  /// Whether the stream is unreachable.
  var isDown: Bool {
    get { state.withLock { $0.isDown } }
    set { state.withLock { $0.isDown = newValue } }
  }

  /// The holder of the lease.
  var holder: String? {
    get { state.withLock { $0.holder } }
    set { state.withLock { $0.holder = newValue } }
  }

  private func reach<Value>(_ body: (inout State) -> Value) throws -> Value {
    try state.withLock { state in
      if state.isDown { throw StreamIsDown() }
      return body(&state)
    }
  }

  func end() throws -> UInt64 { try reach { UInt64($0.messages.count) } }

  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    try reach { state in
      guard last == UInt64(state.messages.count) else { return .refused }
      state.messages.append(bytes)
      return .accepted(last + 1)
    }
  }

  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    try reach { state in
      let start = max(Int(max(sequence, 1)) - 1, state.lost)
      guard start < state.messages.count else { return [] }
      return state.messages[start...].prefix(limit).enumerated().map { offset, bytes in
        StreamMessage(sequence: UInt64(start + offset + 1), bytes: bytes)
      }
    }
  }

  func lease(holder: String, seconds: Double) throws -> Bool {
    try reach { state in
      if state.holder == nil { state.holder = holder }
      return state.holder == holder
    }
  }

  func trim(through sequence: UInt64) throws { try reach { $0.lost = Int(sequence) } }

  func report(_ report: [UInt8], from replica: String) throws {
    try reach { $0.reports[replica] = report }
  }

  /// Returns a separate dictionary: the stream mutates a shared one in place as soon as its reader
  /// releases it, which the thread sanitizer reports as a race.
  func reports() throws -> [String: [UInt8]] {
    try reach { Dictionary(uniqueKeysWithValues: $0.reports.map { ($0, $1) }) }
  }
}
