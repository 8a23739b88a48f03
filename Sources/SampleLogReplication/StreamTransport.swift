/// A message and its position in a stream.
public struct StreamMessage: Hashable, Sendable {
  /// The sequence number in the stream, starting at 1.
  public var sequence: UInt64
  /// The bytes that were appended.
  public var bytes: [UInt8]

  /// Creates a message.
  public init(sequence: UInt64, bytes: [UInt8]) {
    self.sequence = sequence
    self.bytes = bytes
  }
}

/// The outcome of an append.
public enum AppendOutcome: Hashable, Sendable {
  /// The message was appended with this sequence number.
  case accepted(UInt64)
  /// The stream's last message is not the expected one; nothing was appended.
  case refused
  /// The outcome is unknown: the message may be in the stream, may still arrive, or may be lost.
  case unknown
}

/// An append-only stream of messages, through which a store's commits reach its replicas.
///
/// A stream orders messages, and refuses an append that does not expect its actual last message. It
/// need not be durable, because the primary publishes lost messages again. The answers of ``end()``
/// and ``read(from:limit:)`` may be stale, but only in that they lack the newest messages. Only an
/// accepted append proves where the stream ended.
public protocol StreamTransport: Sendable {
  /// Returns the sequence number of the last message or of an earlier one; 0 if there is none.
  ///
  /// - Throws: Any error if the stream cannot be reached.
  func end() throws -> UInt64

  /// Appends a message if the stream ends with the expected sequence number.
  ///
  /// The sequence number of an empty stream is 0.
  ///
  /// - Throws: Any error if the stream cannot be reached; the outcome is then unknown.
  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome

  /// Reads messages from a sequence number on, in any order and possibly with duplicates.
  ///
  /// - Parameters:
  ///   - sequence: The sequence number at which to begin. If that message and some after it have
  ///     been removed, reading begins with the first that remains.
  ///   - limit: The maximum number of messages to return.
  /// - Returns: Messages without gaps between them; an empty array if there are none yet.
  /// - Throws: Any error if the stream cannot be reached.
  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage]

  /// Acquires or renews the lease, by which replicas agree on the one to promote.
  ///
  /// The lease is advisory: only an accepted append excludes other writers.
  ///
  /// - Returns: Whether the holder has the lease now.
  func lease(holder: String, seconds: Double) throws -> Bool

  /// Removes messages through a sequence number; replicas that still need them need a backup.
  func trim(through sequence: UInt64) throws

  /// Stores a replica's report, replacing its previous one.
  ///
  /// A report is advisory. It may be lost at any time, and the replica repeats it periodically. The
  /// transport should discard it about a minute after the replica has sent its last one, so that
  /// replicas that no longer exist are not waited for.
  ///
  /// - Parameters:
  ///   - report: The encoded report, which is small.
  ///   - replica: The name of the replica, which may be any text.
  /// - Throws: Any error if the report cannot be stored.
  func report(_ report: [UInt8], from replica: String) throws

  /// Returns the latest report of each replica by name; reports may be stale or missing.
  ///
  /// - Throws: Any error if the stream cannot be reached.
  func reports() throws -> [String: [UInt8]]

  /// Stores a value of the transfer of a copy, replacing the key's previous value.
  ///
  /// A value has at most 525 KiB. It may be lost at any time. The transport should discard it about
  /// a minute later, so that the data of a transfer that has ended does not remain.
  ///
  /// - Throws: ``ReplicationError/copiesUnsupported`` if the transport does not transfer copies, or
  ///   any error if the value cannot be stored.
  func put(_ value: [UInt8], under key: CopyKey) throws

  /// Returns the value of a key, or nil if there is none; it may be stale.
  ///
  /// - Throws: Any error if the stream cannot be reached.
  func value(under key: CopyKey) throws -> [UInt8]?

  /// Whether the transport transfers copies; otherwise no request for one is looked for.
  var transfersCopies: Bool { get }

  /// Returns the values of all requests for copies; they may be stale or missing.
  ///
  /// - Throws: Any error if the stream cannot be reached.
  func copyRequests() throws -> [[UInt8]]

  /// Returns the state of the stream for operators, or nil if the transport cannot determine it.
  ///
  /// - Throws: Any error if the stream cannot be reached.
  func status() throws -> StreamStatus?
}

/// A key under which a transport stores a value for the transfer of a copy.
public enum CopyKey: Hashable, Sendable {
  /// The request of the receiver of a transfer.
  case request(transfer: UInt64)
  /// The offer of a source.
  case offer(transfer: UInt64)
  /// A piece of the copy; a later piece replaces an earlier one in the same slot.
  case piece(transfer: UInt64, slot: Int)
}

extension StreamTransport {
  /// False.
  public var transfersCopies: Bool { false }

  /// Throws ``ReplicationError/copiesUnsupported``.
  public func put(_ value: [UInt8], under key: CopyKey) throws {
    throw ReplicationError.copiesUnsupported
  }

  /// Returns nil.
  public func value(under key: CopyKey) throws -> [UInt8]? { nil }

  /// Returns an empty array.
  public func copyRequests() throws -> [[UInt8]] { [] }

  /// Returns nil.
  public func status() throws -> StreamStatus? { nil }
}
