/// Why a stream cannot be used.
public enum NATSError: Error, Hashable, Sendable {
  /// This program was built without the package's trait `NATS`.
  case notBuilt
  /// No server answered.
  case unreachable(server: String, reason: String)
  /// A server refused what it was asked for.
  case refused(operation: String, reason: String)
}

extension NATSError: CustomStringConvertible {
  /// One sentence that says what happened and, where there is something to do, what.
  public var description: String {
    switch self {
    case .notBuilt:
      "This program was built without NATS; build it with --traits NATS, which needs libnats."
    case .unreachable(let server, let reason):
      "No NATS server answers at \(server): \(reason)."
    case .refused(let operation, let reason):
      "The NATS server refused to \(operation): \(reason)."
    }
  }
}
