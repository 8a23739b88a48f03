import Dispatch
import SampleLog
import SampleLogReplication
import SampleLogSimulation

/// A stream that forwards to another one by default.
protocol ForwardingStream: StreamTransport {
  associatedtype Stream: StreamTransport
  var stream: Stream { get }
}

extension ForwardingStream {
  func end() throws -> UInt64 { try stream.end() }

  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    try stream.append(bytes, expecting: last)
  }

  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    try stream.read(from: sequence, limit: limit)
  }

  func lease(holder: String, seconds: Double) throws -> Bool {
    try stream.lease(holder: holder, seconds: seconds)
  }

  func trim(through sequence: UInt64) throws { try stream.trim(through: sequence) }

  func report(_ report: [UInt8], from replica: String) throws {
    try stream.report(report, from: replica)
  }

  func reports() throws -> [String: [UInt8]] { try stream.reports() }
}

/// A stream that delays its first answer to a request for reports.
final class HeldReports: ForwardingStream {
  let isAsked = DispatchSemaphore(value: 0)
  let mayAnswer = DispatchSemaphore(value: 0)
  let stream: SharedStream
  private let isFirst = Locked(true)

  init(_ stream: SharedStream) { self.stream = stream }

  func reports() throws -> [String: [UInt8]] {
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if isFirst {
      isAsked.signal()
      mayAnswer.wait()
    }
    return try stream.reports()
  }
}

/// A stream that can delay answers to requests for its end.
final class HeldEnds: ForwardingStream {
  let isAsked = DispatchSemaphore(value: 0)
  private let mayAnswer = DispatchSemaphore(value: 0)
  let stream: SharedStream
  private let state = Locked((isHolding: false, count: Int?.none))

  init(_ stream: SharedStream) { self.stream = stream }

  /// The number of requests since answers were delayed.
  var askedCount: Int? { state.withLock { $0.count } }

  /// Delays the next answers.
  func hold() { state.withLock { $0 = (true, 0) } }

  /// Releases the delayed answer and all later ones.
  func release() {
    state.withLock { $0.isHolding = false }
    mayAnswer.signal()
  }

  func end() throws -> UInt64 {
    let isHeld = state.withLock { state in
      state.count? += 1
      return state.isHolding
    }
    if isHeld {
      isAsked.signal()
      mayAnswer.wait()
    }
    return try stream.end()
  }
}

/// A stream that leaves appends unanswered and delivers them later.
final class LateAppends: ForwardingStream {
  let stream: SimulatedStream
  private let last = Locked((bytes: [UInt8](), expected: UInt64(0)))

  init(_ stream: SimulatedStream) { self.stream = stream }

  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    self.last.withLock { $0 = (bytes, last) }
    return .unknown
  }

  /// Delivers the last append.
  func deliver() throws -> AppendOutcome {
    let (bytes, expected) = last.withLock { $0 }
    return try stream.append(bytes, expecting: expected)
  }
}

/// A stream that does not answer requests for reports.
final class SilentReports: ForwardingStream {
  struct Silence: Error {}

  let stream: SimulatedStream
  let isSilent = Locked(true)

  init(_ stream: SimulatedStream) { self.stream = stream }

  func reports() throws -> [String: [UInt8]] {
    if isSilent.withLock({ $0 }) { throw Silence() }
    return try stream.reports()
  }
}

/// A stream that answers with an old end, while its messages are read as they are now.
final class StaleEnd: ForwardingStream {
  let stream: SimulatedStream
  private let old: Locked<UInt64?>

  /// Answers with the stream's present end until ``refresh()``.
  init(_ stream: SimulatedStream) {
    self.stream = stream
    old = Locked(stream.last)
  }

  /// Answers with the true end from now on.
  func refresh() { old.withLock { $0 = nil } }

  func end() throws -> UInt64 { try old.withLock { $0 } ?? stream.end() }
}
