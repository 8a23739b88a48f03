/// The state of a stream as its servers report it, for operators.
public struct StreamStatus: Hashable, Sendable {
  /// The lease of a stream.
  public struct Lease: Hashable, Sendable {
    /// The name of the holder.
    public var holder: String
    /// The time since the holder last renewed the lease, in seconds, by this machine's clock.
    public var age: Double

    /// Creates a lease.
    public init(holder: String, age: Double) {
      self.holder = holder
      self.age = age
    }
  }

  /// The size of the stream's messages, in bytes.
  public var byteCount: UInt64
  /// The size at which the stream discards its oldest messages, or nil if there is no limit.
  public var byteLimit: UInt64?
  /// The lease, or nil if no process has it.
  public var lease: Lease?
  /// The time since each replica's last report, in seconds, by this machine's clock.
  public var reportAges: [String: Double]

  /// Creates a status.
  public init(
    byteCount: UInt64, byteLimit: UInt64?, lease: Lease?, reportAges: [String: Double]
  ) {
    self.byteCount = byteCount
    self.byteLimit = byteLimit
    self.lease = lease
    self.reportAges = reportAges
  }
}
