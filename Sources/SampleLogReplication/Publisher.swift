package import SampleLog

/// A publisher that sends a primary's commits to its stream once they are durable, one message at a
/// time.
///
/// There is no queue: the publisher reads the store's own log. Each message expects the last
/// message that the publisher knows of, and the next one is sent after it has been accepted. This
/// ensures that the first message of another epoch stops all later ones: with several messages in
/// flight, the first would be refused, but the second could be accepted, because it expects the
/// sequence number that the other epoch's message has taken.
///
/// A publisher is not thread-safe; ``Primary`` is.
package final class Publisher {
  /// The result of a step.
  package enum Step: Hashable, Sendable {
    /// There is nothing to publish.
    case idle
    /// A message was accepted.
    case accepted
    /// The end of the stream was located.
    case located
    /// The outcome of a message or the end of the stream is unknown; the next step determines it.
    case unresolved
    /// The logs do not continue the stream; see ``Publisher/gap``.
    case blocked
  }

  let database: Database
  let transport: any StreamTransport
  let payloadLimit: Int
  let keptLogCount: Int
  let crossesGaps: Bool
  let writer: Writer
  var tail: LogTail?
  /// The position that the stream has reached; nil if no part of the stream belongs to this
  /// history.
  var place: HistoryPosition?
  /// Whether the stream has messages of other epochs but none of this one.
  ///
  /// The record of this epoch must then fence the other writers as soon as possible.
  var beginsEpoch = false
  /// The number of consecutive answers of the stream that the logs did not continue.
  var gapCount = 0
  /// The sequence number of the stream's last message.
  var streamLast: UInt64 = 0
  /// The fingerprint of that message.
  var lastFingerprint: UInt32?
  /// The messages to send, the first of which may be in flight.
  var outbox: ArraySlice<Message> = []
  /// The gap that the next messages leave in the stream, or nil if they leave none.
  var leap: PublishingGap?
  /// The commits that are missing between messages of the stream.
  ///
  /// They precede the first message of an epoch, which fences other primaries, or a promotion. No
  /// later commit counts as published until a replica has reported that it has passed them.
  package internal(set) var crossing: PublishingGap?
  /// The last sequence number up to which the stream is known to have this store's own history.
  var verifiedThrough: UInt64 = 0
  /// The number of times that commits rebuilt from segments were published.
  package private(set) var rebuiltCount = 0
  /// Whether ``crossing`` has been determined for the messages before this publisher's own.
  var knowsCrossing = false
  /// The log that was being read when published logs were last removed.
  private var releasedBefore: UInt64?
  /// The last erasure before which the stream has no message.
  var purgedThrough: UInt64 = 0
  /// The last erasure before which neither the stream nor a log of this store has commits; 0 until
  /// that is known after the end of the stream was read.
  package internal(set) var releasedThrough: UInt64 = 0
  /// The number of consecutive checks in which all replicas that report confirmed the erasure.
  var confirmations = 0
  let confirmationCount: Int
  /// The last sequence number that the stream has confirmed.
  package internal(set) var publishedThrough: UInt64 = 0
  /// The commits that neither the stream nor a log has, or nil if the logs continue the stream.
  package internal(set) var gap: PublishingGap?
  /// The error of the last request to the stream, or nil if it was answered.
  private(set) var streamError: (any Error)?
  /// The number of messages that the stream has accepted.
  private(set) var messageCount = 0
  /// The size of these messages, in bytes.
  private(set) var byteCount = 0

  /// Creates a publisher of a store's commits.
  ///
  /// - Parameters:
  ///   - database: A store that is open for writing and keeps its sealed logs.
  ///   - transport: The stream of the store.
  ///   - payloadLimit: The maximum size of the commits in a message, in bytes.
  ///   - keptLogCount: The number of published logs to keep in case the stream loses their commits.
  ///     At least one is kept, so that the stream can always be matched with a log.
  ///   - confirmationCount: The number of consecutive checks in which all replicas that report must
  ///     have confirmed an erasure before the stream is purged. Servers that restart lose the
  ///     reports, and replicas repeat theirs after about four seconds.
  ///   - crossesGaps: Whether to publish although no replica is known to have the commits before,
  ///     if the stream has nothing of this history or not its last epoch.
  package init(
    _ database: Database, _ transport: any StreamTransport,
    payloadLimit: Int = Message.payloadLimit, keptLogCount: Int = 4, confirmationCount: Int = 16,
    crossesGaps: Bool = false
  ) {
    self.database = database
    self.transport = transport
    self.payloadLimit = payloadLimit
    self.keptLogCount = max(keptLogCount, 1)
    self.confirmationCount = confirmationCount
    self.crossesGaps = crossesGaps
    writer = Writer(
      storeID: database.storeID, epoch: database.epoch, term: database.term,
      epochFirst: database.epochFirst)
  }

  /// Sends the next message, or determines the outcome of the last one.
  ///
  /// - Throws: `StoreError.fenced` if another copy was promoted, after which commits fail as well;
  ///   `StoreError.diverged` if the stream has commits of this epoch that the store has lost;
  ///   ``ReplicationError/anotherStore``; and errors of the disk.
  package func step() throws -> Step {
    if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
    guard tail != nil else { return try locate() ? .located : .unresolved }
    if outbox.isEmpty {
      let commits = try tail?.next(byteLimit: payloadLimit)
      // The logs may no longer have the commits that the stream lacks.
      if let start = commits?.before ?? tail?.position {
        let isContinued = try continues(start)
        guard isContinued == true else {
          if isContinued == false, gap != nil, try rebuild() { return .located }
          tail = nil
          if isContinued == nil { return .unresolved }
          // A single answer may be stale, but not many in a row.
          gapCount += 1
          return gapCount > Replica.staleAnswerLimit ? .blocked : .unresolved
        }
      }
      (gap, gapCount) = (crossing, 0)
      guard let commits else { return try closeCrossing() }
      outbox =
        Message.messages(
          of: commits, writer: writer, floor: database.snapshot().floor, limit: payloadLimit)[...]
    }
    guard let message = outbox.first else { return .idle }
    // An error leaves the outcome unknown, as if there had been no answer.
    let bytes = message.encoded
    let outcome = request { try transport.append(bytes, expecting: streamLast) } ?? .unknown
    guard case .accepted(let sequence) = outcome, sequence == streamLast + 1 else {
      tail = nil
      return .unresolved
    }
    streamLast = sequence
    messageCount += 1
    byteCount += bytes.count
    lastFingerprint = Message.fingerprint(bytes)
    outbox.removeFirst()
    if outbox.isEmpty { confirm(message.after) }
    if outbox.isEmpty, message.isRebuilt {
      rebuiltCount += 1
      // The logs continue from another position than the one that was read last.
      tail = nil
    }
    return .accepted
  }

  /// Sends a request to the stream, and records its error.
  ///
  /// - Returns: The answer, or nil if there was none.
  func request<Answer>(_ body: () throws -> Answer) -> Answer? {
    do {
      let answer = try body()
      streamError = nil
      return answer
    } catch {
      streamError = error
      return nil
    }
  }

  /// Checks that the stream still ends with a message of this primary.
  ///
  /// If it does, erased data is removed from the stream once all replicas have removed it. If it
  /// does not, the next step determines the reason. A primary that has nothing to publish
  /// detects only by this check that another copy was promoted, or that the stream has lost
  /// messages.
  ///
  /// - Parameter removesErased: Whether to count this as a check of the replicas' confirmations.
  package func check(removesErased: Bool = true) {
    // An unreachable stream provides no information.
    guard let end = request({ try transport.end() }) else { return }
    if end != streamLast { tail = nil }
    // Periodic updates keep the directory's marker file close to what is published.
    if publishedThrough == database.durableEnd {
      try? noteConfirmed()
      releaseLogs()
    }
    let last = end == 0 ? nil : request { try transport.read(from: end, limit: 1) }?.first
    if let last, last.sequence == end, Message.fingerprint(last.bytes) != lastFingerprint {
      tail = nil
    }
    if removesErased { removeErased() }
  }

  func confirm(_ position: HistoryPosition) {
    place = position
    beginsEpoch = false
    knowsCrossing = true
    verifiedThrough = max(verifiedThrough, position.last)
    if let leap { crossing = leap }
    leap = nil
    notePublished(through: position.last)
    releaseLogs()
  }

  /// Counts commits as published, unless earlier ones are missing from the stream.
  func notePublished(through last: UInt64) {
    publishedThrough = max(publishedThrough, (leap ?? crossing)?.published ?? last)
  }

  /// Removes published logs once the next log is being read.
  private func releaseLogs() {
    // While the stream has a gap, the marker file is not written.
    guard crossing == nil, let first = tail?.logFirst, first != releasedBefore else { return }
    // Logs that cannot be removed now are removed later. The marker file is written first, because
    // it determines whether the logs continue the published commits.
    let isDone: ()? = try? noteConfirmed()
    guard isDone != nil, let place, place.last <= publishedThrough else { return }
    let isReleased: ()? = try? database.releaseLogs(through: place.last, keeping: keptLogCount)
    if isReleased != nil { releasedBefore = first }
  }

  /// Records in the store's directory the position that the stream has confirmed.
  ///
  /// If the disk is full, the oldest published log is removed to make room for the record;
  /// otherwise a full disk would keep all logs and stay full. Until the record is written, the
  /// directory may show a gap that the stream does not have.
  ///
  /// - Throws: An error of the operating system.
  package func noteConfirmed() throws {
    guard crossing == nil, let place, place.last <= publishedThrough else { return }
    do {
      try database.notePublished(place)
    } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isFull(code) {
      try database.releaseOldestLog(through: place.last, keeping: keptLogCount)
      try database.notePublished(place)
    }
  }
}
