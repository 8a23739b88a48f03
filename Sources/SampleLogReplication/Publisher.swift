package import SampleLog

/// Publishes a primary's commits to its stream, as soon as they are durable, one message at a time.
///
/// There is no queue: what is to be published is read from the store's own log. Each message
/// expects the stream to end with the message that the publisher knows to be the last, and the next
/// is sent when that has been accepted. Only so does the first message of another epoch stop all
/// that follow: of several messages in flight the first would be refused, and the second accepted
/// in the place that the other epoch's took.
///
/// Not thread-safe; ``Primary`` is.
package final class Publisher {
  /// What one step has done.
  package enum Step: Hashable, Sendable {
    /// There is nothing to publish.
    case idle
    /// A message was accepted.
    case accepted
    /// It was found where the stream ends.
    case located
    /// It is not known what became of a message, or where the stream ends; the next step asks.
    case unresolved
    /// The logs do not continue the stream, as ``Publisher/gap`` says.
    case blocked
  }

  let database: Database
  let transport: any StreamTransport
  let payloadLimit: Int
  let keptLogCount: Int
  let crossesGaps: Bool
  let writer: Writer
  var tail: LogTail?
  /// The place that the stream has come to; nil if it has nothing that this history continues.
  var place: HistoryPosition?
  /// Whether messages of other epochs are in the stream and none of this one, whose record is to
  /// fence their writers as soon as it can.
  var beginsEpoch = false
  /// The number of answers in a row that the logs did not continue.
  var gapCount = 0
  /// The sequence number of the stream's last message.
  var streamLast: UInt64 = 0
  /// What tells that message from others.
  var lastFingerprint: UInt32?
  /// What is to be sent next; the first is on its way.
  var outbox: ArraySlice<Message> = []
  /// The gap that the next messages leave in the stream, or nil if they leave none.
  var leap: PublishingGap?
  /// The commits that the stream lacks although messages behind them are in it.
  ///
  /// They lie before the first message of an epoch, which fences other primaries, or before a
  /// promotion. Nothing counts as published until a replica has reported that it is behind them.
  package internal(set) var crossing: PublishingGap?
  /// The last sequence number up to which the stream is known to have this store's own history.
  var verifiedThrough: UInt64 = 0
  /// The number of times that commits rebuilt from segments were published.
  package private(set) var rebuiltCount = 0
  /// Whether ``crossing`` is known for what the stream had when the publisher began.
  var knowsCrossing = false
  /// The log that was being read when published ones were removed last.
  private var releasedBefore: UInt64?
  /// The last sequence number that the stream has confirmed.
  package internal(set) var publishedThrough: UInt64 = 0
  /// The commits that neither the stream nor a log has; nil while the logs continue the stream.
  package internal(set) var gap: PublishingGap?
  /// Messages that the stream has accepted, and their bytes.
  private(set) var messageCount = 0
  private(set) var byteCount = 0

  /// - Parameters:
  ///   - database: A store that was opened to save in it, with its sealed logs kept.
  ///   - transport: Its stream.
  ///   - payloadLimit: How many bytes of commits a message has at most.
  ///   - keptLogCount: How many published logs to keep, in case the stream loses what they have; at
  ///     least one, so that there is always something that says whose the stream is.
  ///   - crossesGaps: Whether to publish behind a gap although no replica is known to be there.
  package init(
    _ database: Database, _ transport: any StreamTransport,
    payloadLimit: Int = Message.payloadLimit, keptLogCount: Int = 4, crossesGaps: Bool = false
  ) {
    self.database = database
    self.transport = transport
    self.payloadLimit = payloadLimit
    self.keptLogCount = max(keptLogCount, 1)
    self.crossesGaps = crossesGaps
    writer = Writer(
      storeID: database.storeID, epoch: database.epoch, term: database.term,
      epochFirst: database.epochFirst)
  }

  /// Sends the next message, or finds out what became of the last.
  ///
  /// - Throws: `StoreError.fenced` when another copy was promoted, from when on saving
  ///   fails as well; `StoreError.diverged` when the stream has commits of this epoch
  ///   that the store has lost; ``ReplicationError/anotherStore``; and errors of the disk.
  package func step() throws -> Step {
    if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
    guard tail != nil else { return try locate() ? .located : .unresolved }
    if outbox.isEmpty {
      let commits = try tail?.next(byteLimit: payloadLimit)
      // The logs may have nothing any more of what is missing.
      if let start = commits?.before ?? tail?.position {
        let isContinued = try continues(start)
        guard isContinued == true else {
          if isContinued == false, gap != nil, try rebuild() { return .located }
          tail = nil
          if isContinued == nil { return .unresolved }
          // An answer may be old, but not time and again.
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
    // An error leaves as much open as no answer.
    let bytes = message.encoded
    let outcome = (try? transport.append(bytes, expecting: streamLast)) ?? .unknown
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
      // The logs lead on from another place than the one that was read last.
      tail = nil
    }
    return .accepted
  }

  /// Looks whether the stream still ends with a message of this primary; where it does not, the
  /// next step finds out why.
  ///
  /// A primary that has nothing to publish hears only so that another was promoted, or that the
  /// stream has lost something.
  package func check() {
    // A stream that cannot be reached tells nothing.
    guard let end = try? transport.end() else { return }
    if end != streamLast { tail = nil }
    // Now and then, so that the directory tells nearly all that is published.
    if publishedThrough == database.durableEnd {
      try? noteConfirmed()
      releaseLogs()
    }
    let last = end == 0 ? nil : try? transport.read(from: end, limit: 1).first
    if let last, last.sequence == end, Message.fingerprint(last.bytes) != lastFingerprint {
      tail = nil
    }
  }

  private func confirm(_ position: HistoryPosition) {
    place = position
    beginsEpoch = false
    knowsCrossing = true
    verifiedThrough = max(verifiedThrough, position.last)
    if let leap { crossing = leap }
    leap = nil
    notePublished(through: position.last)
    releaseLogs()
  }

  /// Counts commits as published, unless some before them are missing from the stream.
  func notePublished(through last: UInt64) {
    publishedThrough = max(publishedThrough, crossing?.published ?? last)
  }

  /// Removes published logs once the next log is being read.
  private func releaseLogs() {
    guard let first = tail?.logFirst, first != releasedBefore else { return }
    // What cannot be removed now is removed later. The mark comes first, because it tells whether
    // the logs lead on from what was published.
    let isDone: ()? = try? noteConfirmed()
    guard isDone != nil, let place, place.last <= publishedThrough else { return }
    let isReleased: ()? = try? database.releaseLogs(through: place.last, keeping: keptLogCount)
    if isReleased != nil { releasedBefore = first }
  }

  /// Records in the store's directory what the stream has confirmed.
  ///
  /// If the disk is full, the oldest log that is published makes room for the record: otherwise a
  /// full disk would keep all logs, and stay full. Until the record is written, the directory may
  /// show a gap that the stream does not have.
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
