/// Options for connecting to a store's stream, and for creating it.
///
/// Descriptions and reflections of options contain neither passwords nor tokens.
public struct NATSOptions: Hashable, Sendable {
  /// The addresses of the servers, such as `nats://127.0.0.1:4222`.
  ///
  /// One reachable server is enough. An address that begins with `tls://` turns on TLS for all of
  /// them.
  public var servers = ["nats://127.0.0.1:4222"]
  /// Whether to connect with TLS only.
  ///
  /// An address that begins with `tls://`, ``caFile`` and ``certificateFile`` turn on TLS as well.
  /// Without them, TLS is used if a server requires it.
  public var requiresTLS = false
  /// The path of a PEM file with the certificates of the authorities to trust; nil for those that
  /// the system trusts.
  public var caFile: String?
  /// The path of a PEM file with the client's certificate, for servers that verify clients.
  public var certificateFile: String?
  /// The path of a PEM file with the private key of ``certificateFile``.
  public var keyFile: String?
  /// Whether a server's certificate must be valid, and issued for the host in its address.
  ///
  /// Without this check, any machine between client and server can read and change the data.
  public var verifiesServers = true
  /// The credentials with which to authenticate.
  ///
  /// A user name and password within an address take precedence.
  public var credentials = NATSCredentials.none
  /// The number of servers that store the stream, if it must be created: 1, or 3 in a cluster.
  ///
  /// The lease and the reports of replicas are stored by as many servers as the stream.
  public var replicaCount = 1
  /// The maximum size of the stream, in bytes.
  ///
  /// Beyond it, the oldest messages are discarded.
  ///
  /// A replica that has not read the discarded messages needs a backup.
  public var byteLimit: Int64 = 1 << 30
  /// The timeout for a server's response, in seconds, at least 0.001.
  ///
  /// Creating a stream may take five times as long, because servers that have just started must
  /// elect a leader first.
  public var answerTimeout = 2.0
  /// Whether to create the stream if it does not exist.
  ///
  /// A primary needs this.
  public var makesStream = false
  /// Whether connecting throws ``NATSError/noStream(name:server:)`` if the stream does not exist.
  ///
  /// Has no effect if ``makesStream`` is true.
  public var requiresStream = false
  /// The password or token that the latest connection has read from its file, or nil.
  var readSecret: String?

  /// Creates options for a server on the local machine.
  public init() {}
}
