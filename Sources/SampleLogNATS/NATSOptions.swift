/// Options for connecting to a store's stream, and for creating it.
public struct NATSOptions: Hashable, Sendable {
  /// The addresses of the servers, such as `nats://127.0.0.1:4222`.
  ///
  /// One reachable server is enough.
  public var servers = ["nats://127.0.0.1:4222"]
  /// The number of servers that store the stream: 1, or 3 in a cluster.
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

  /// Creates options for a server on the local machine.
  public init() {}
}
