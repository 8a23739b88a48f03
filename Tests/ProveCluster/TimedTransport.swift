import Foundation
import SampleLog
import SampleLogReplication

/// A transport that records slow calls.
final class TimedTransport: StreamTransport {
  private let transport: any StreamTransport
  private let start = ContinuousClock.now
  private let notes = Locked<[String]>([])

  init(_ transport: any StreamTransport) { self.transport = transport }

  /// The calls that took more than a tenth of a second.
  var slowCalls: [String] { notes.withLock { $0 } }

  private func note<T>(_ name: String, _ body: () throws -> T) throws -> T {
    let began = ContinuousClock.now
    let result = Result { try body() }
    let now = ContinuousClock.now
    if now - began > .milliseconds(100) {
      let outcome = (try? result.get()).map { String("\($0)".prefix(40)) } ?? "no answer"
      let (at, took) = ((began - start) / .seconds(1), (now - began) / .seconds(1))
      notes.withLock {
        $0.append(String(format: "%.2f s: %.2f s, ", at, took) + name + ": " + outcome)
      }
    }
    return try result.get()
  }

  func end() throws -> UInt64 { try note("end") { try transport.end() } }

  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    try note("append") { try transport.append(bytes, expecting: last) }
  }

  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    try note("read") { try transport.read(from: sequence, limit: limit) }
  }

  func lease(holder: String, seconds: Double) throws -> Bool {
    try note("lease") { try transport.lease(holder: holder, seconds: seconds) }
  }

  func trim(through sequence: UInt64) throws {
    try note("trim") { try transport.trim(through: sequence) }
  }

  func report(_ report: [UInt8], from replica: String) throws {
    try note("report") { try transport.report(report, from: replica) }
  }

  func reports() throws -> [String: [UInt8]] { try note("reports") { try transport.reports() } }
}
