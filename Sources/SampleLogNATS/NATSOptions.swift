/// Where the stream of a store is, and what it is like if it has to be made.
public struct NATSOptions: Hashable, Sendable {
  /// The servers' addresses, as `nats://127.0.0.1:4222`; one that answers suffices.
  public var servers = ["nats://127.0.0.1:4222"]
  /// How many servers keep the stream: 1, or 3 of a cluster.
  public var replicaCount = 1
  /// How many bytes the stream holds at most; beyond that its oldest messages go.
  ///
  /// A replica that is further behind needs a backup.
  public var byteLimit: Int64 = 1 << 30
  /// How long to wait for a server's answer, in seconds, from 0.001 on; five times as long for a
  /// stream to be made, because servers that have just started elect a leader first.
  public var answerTimeout = 2.0
  /// Whether the stream is made where there is none, as a primary needs it.
  public var makesStream = false

  /// Creates options for one server on this machine.
  public init() {}
}
