/// An error of a NATS stream.
///
/// No error contains a password, a token or the content of a file.
public enum NATSError: Error, Hashable, Sendable {
  /// The program was built without the package's trait `NATS`.
  case notBuilt
  /// No server has responded.
  case unreachable(server: String, reason: String)
  /// The servers do not have the stream.
  case noStream(name: String, server: String)
  /// A server refused the operation.
  case refused(operation: String, reason: String)
  /// A server refused the connection with these credentials.
  ///
  /// They may be wrong, missing or expired. The credentials are described without their secrets.
  case unauthorized(server: String, credentials: String, reason: String)
  /// The server's certificate is not valid for it, or the server does not offer TLS.
  case untrusted(server: String, reason: String)
  /// A certificate, key or credentials file cannot be used.
  case unusableFile(path: String, reason: String)
}

extension NATSError: CustomStringConvertible {
  /// A sentence that describes the error and, if there is one, its remedy.
  public var description: String {
    switch self {
    case .notBuilt:
      "This program was built without NATS; build it with --traits NATS, which needs libnats."
    case .unreachable(let server, let reason):
      "No NATS server answers at \(server): \(reason)."
    case .noStream(let name, let server):
      "The NATS servers at \(server) do not have the stream \(name); name the servers that have "
        + "it, or create it again if they have lost it."
    case .refused(let operation, let reason):
      "The NATS server refused to \(operation): \(reason)."
    case .unauthorized(let server, let credentials, let reason):
      "The NATS server at \(server) refused \(credentials): \(reason)."
    case .untrusted(let server, let reason):
      "The NATS server at \(server) is not trusted: \(reason)."
    case .unusableFile(let path, let reason):
      "The file \(path) cannot be used for NATS: \(reason)."
    }
  }
}
