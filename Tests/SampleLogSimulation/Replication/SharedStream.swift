import SampleLog
package import SampleLogReplication

/// A thread-safe simulated stream.
package final class SharedStream: StreamTransport {
  private let stream: Locked<SimulatedStream>

  package init(_ stream: SimulatedStream) { self.stream = Locked(stream) }

  /// Changes its faults.
  package func change(_ body: (inout StreamFaults) -> Void) { stream.withLock { body(&$0.faults) } }

  package func end() throws -> UInt64 { try stream.withLock { try $0.end() } }

  package func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    try stream.withLock { try $0.append(bytes, expecting: last) }
  }

  package func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    try stream.withLock { try $0.read(from: sequence, limit: limit) }
  }

  package func lease(holder: String, seconds: Double) throws -> Bool {
    try stream.withLock { try $0.lease(holder: holder, seconds: seconds) }
  }

  package func trim(through sequence: UInt64) throws {
    try stream.withLock { try $0.trim(through: sequence) }
  }

  package func report(_ report: [UInt8], from replica: String) throws {
    try stream.withLock { try $0.report(report, from: replica) }
  }

  package func reports() throws -> [String: [UInt8]] { try stream.withLock { try $0.reports() } }

  /// Loses all messages.
  package func recreate() { stream.withLock { $0.recreate() } }
}
