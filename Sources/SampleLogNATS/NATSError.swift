/// An error of a NATS stream.
public enum NATSError: Error, Hashable, Sendable {
  /// The program was built without the package's trait `NATS`.
  case notBuilt
  /// No server has responded.
  case unreachable(server: String, reason: String)
  /// A server refused the operation.
  case refused(operation: String, reason: String)
}

extension NATSError: CustomStringConvertible {
  /// A sentence that describes the error and, if there is one, its remedy.
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
