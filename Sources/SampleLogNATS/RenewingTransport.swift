#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// A transport that makes a new connection after the library has given one up.
  ///
  /// The library gives up once a server has refused the credentials twice. The files of a new
  /// connection are read again, so a process continues after its credentials have been renewed.
  final class RenewingTransport: StreamTransport {
    private struct State {
      var transport: NATSTransport
      /// The error of the last attempt, and the time of the next one.
      var failed: (error: any Error, next: ContinuousClock.Instant)?
    }

    /// The time between two attempts, in seconds.
    private static let pause = 1.0

    private let state: Locked<State>

    init(_ transport: NATSTransport) { state = Locked(State(transport: transport)) }

    /// Returns the transport of the current connection, or of a new one.
    ///
    /// - Throws: The error of the last attempt until the next one is due.
    private func current() throws -> NATSTransport {
      do {
        return try connected()
      } catch {
        // Callers that retry without a pause must not busy-wait.
        nats_Sleep(50)
        throw error
      }
    }

    private func connected() throws -> NATSTransport {
      try state.withLock { state in
        let old = state.transport
        guard old.connection.isClosed else { return old }
        if let failed = state.failed, ContinuousClock.now < failed.next { throw failed.error }
        do {
          state.transport = NATSTransport(try NATSConnection(old.connection.options), old.name)
          state.failed = nil
          return state.transport
        } catch {
          state.failed = (error, ContinuousClock.now + .seconds(Self.pause))
          throw error
        }
      }
    }

    func end() throws -> UInt64 { try current().end() }

    func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
      try current().append(bytes, expecting: last)
    }

    func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
      try current().read(from: sequence, limit: limit)
    }

    func lease(holder: String, seconds: Double) throws -> Bool {
      try current().lease(holder: holder, seconds: seconds)
    }

    func trim(through sequence: UInt64) throws { try current().trim(through: sequence) }

    func report(_ report: [UInt8], from replica: String) throws {
      try current().report(report, from: replica)
    }

    func reports() throws -> [String: [UInt8]] { try current().reports() }

    func put(_ value: [UInt8], under key: CopyKey) throws {
      try current().put(value, under: key)
    }

    func value(under key: CopyKey) throws -> [UInt8]? { try current().value(under: key) }

    var transfersCopies: Bool { true }

    func copyRequests() throws -> [[UInt8]] { try current().copyRequests() }

    func status() throws -> StreamStatus? { try current().status() }
  }
#endif
