/// A message at its place in a stream.
public struct StreamMessage: Hashable, Sendable {
  /// Its sequence number in the stream, from 1 on.
  public var sequence: UInt64
  /// What was appended.
  public var bytes: [UInt8]

  /// Creates a message.
  public init(sequence: UInt64, bytes: [UInt8]) {
    self.sequence = sequence
    self.bytes = bytes
  }
}

/// What became of an append.
public enum AppendOutcome: Hashable, Sendable {
  /// The message has this sequence number in the stream.
  case accepted(UInt64)
  /// The stream's last message is not the one that was expected; nothing was appended.
  case refused
  /// It is not known: the message may be in the stream, may still arrive, or may be lost.
  case unknown
}

/// One append-only stream of messages, through which a store's commits reach its replicas.
///
/// A stream orders messages and refuses an append that expects another last message than there is.
/// It need not be durable: whatever it lacks the primary publishes again. What it answers to
/// ``end()`` and ``read(from:limit:)`` may be old, but only in lacking its newest messages; an
/// append that was accepted is the only proof of where the stream ended.
public protocol StreamTransport: Sendable {
  /// Returns the sequence number of the last message, or of an earlier one; 0 when there is none.
  ///
  /// - Throws: Any error when the stream cannot be reached.
  func end() throws -> UInt64

  /// Appends a message if the last message has a sequence number, which is 0 for an empty stream.
  ///
  /// - Throws: Any error when the stream cannot be reached; the outcome is then unknown.
  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome

  /// Reads messages from a sequence number on, in any order and some of them several times.
  ///
  /// - Parameters:
  ///   - sequence: Where to begin; when that message and those behind it are gone, with the first
  ///     that is there.
  ///   - limit: The greatest number of messages to return.
  /// - Returns: Messages without a gap between them; none when there are none yet.
  /// - Throws: Any error when the stream cannot be reached.
  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage]

  /// Takes or extends a lease, by which replicas agree on the one to promote.
  ///
  /// It is a hint and protects nothing: only an accepted append does.
  ///
  /// - Returns: Whether the holder has it now.
  func lease(holder: String, seconds: Double) throws -> Bool

  /// Removes messages up to a sequence number; replicas that need them need a backup.
  func trim(through sequence: UInt64) throws

  /// Keeps what a replica says of itself, in the place of what it said before.
  ///
  /// A report is a hint. It may be lost, at once or later; whoever sent it sends another now and
  /// then. It should be gone a minute or so after its replica has sent the last, so that replicas
  /// that are no more are not waited for.
  ///
  /// - Parameters:
  ///   - report: A few bytes.
  ///   - replica: The replica's name, any text.
  /// - Throws: Any error when the report cannot be kept.
  func report(_ report: [UInt8], from replica: String) throws

  /// Returns the last report of each replica by its name, or an earlier one, or none.
  ///
  /// - Throws: Any error when the stream cannot be reached.
  func reports() throws -> [String: [UInt8]]
}
