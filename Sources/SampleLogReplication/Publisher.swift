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

  private let database: Database
  private let transport: any StreamTransport
  private let payloadLimit: Int
  private let keptLogCount: Int
  private let crossesGaps: Bool
  private let writer: Writer
  private var tail: LogTail?
  /// The place that the stream has come to; nil if it has nothing that this history continues.
  private var place: HistoryPosition?
  /// Whether messages of other epochs are in the stream and none of this one, whose record is to
  /// fence their writers as soon as it can.
  private var beginsEpoch = false
  /// The number of answers in a row that the logs did not continue.
  private var gapCount = 0
  /// The sequence number of the stream's last message.
  private var streamLast: UInt64 = 0
  /// What tells that message from others.
  private var lastFingerprint: UInt32?
  /// What is to be sent next; the first is on its way.
  private var outbox: ArraySlice<Message> = []
  /// The log that was being read when published ones were removed last.
  private var releasedBefore: UInt64?
  /// The last sequence number that the stream has confirmed.
  package private(set) var publishedThrough: UInt64 = 0
  /// The commits that neither the stream nor a log has; nil while the logs continue the stream.
  package private(set) var gap: PublishingGap?
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
      if let start = commits?.before ?? tail?.position, !continues(start) {
        // An answer may be old, but not time and again.
        tail = nil
        gapCount += 1
        return gapCount > Replica.staleAnswerLimit ? .blocked : .unresolved
      }
      (gap, gapCount) = (nil, 0)
      guard let commits else { return .idle }
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
    if publishedThrough == database.durableEnd { try? noteConfirmed() }
    let last = end == 0 ? nil : try? transport.read(from: end, limit: 1).first
    if let last, last.sequence == end, Message.fingerprint(last.bytes) != lastFingerprint {
      tail = nil
    }
  }

  private func confirm(_ position: HistoryPosition) {
    place = position
    beginsEpoch = false
    publishedThrough = max(publishedThrough, position.last)
    guard let first = tail?.logFirst, first != releasedBefore else { return }
    releasedBefore = first
    // What cannot be removed now is removed when the next log is reached. The mark comes first,
    // because it tells whether the logs lead on from what was published.
    guard (try? noteConfirmed()) != nil else { return }
    try? database.releaseLogs(through: position.last, keeping: keptLogCount)
  }

  /// Records in the store's directory what the stream has confirmed.
  ///
  /// - Throws: An error of the operating system.
  package func noteConfirmed() throws {
    if let place, place.last <= publishedThrough { try database.notePublished(place) }
  }

  // MARK: Gaps

  /// Whether commits behind a place continue the stream: it has come there, or a replica has.
  private func continues(_ start: HistoryPosition) -> Bool {
    if start == place || crossesGaps || beginsEpoch { return true }
    if place == nil, start.last == 0 { return true }
    let reports = (try? transport.reports(of: database.storeID)) ?? [:]
    if reports.values.contains(where: { database.isFollowed(by: $0, from: start.last) }) {
      return true
    }
    // A stream without anything of this history is begun with what the logs have, unless they lack
    // what it did not have when it was lost, or every replica that is known.
    let known = place?.last ?? database.confirmedPosition?.last ?? 0
    if place == nil, reports.isEmpty, known == 0 || start.last <= known { return true }
    if gapCount >= Replica.staleAnswerLimit {
      gap = PublishingGap(published: known, continued: start.last)
    }
    return false
  }

  // MARK: Finding the place to go on

  /// What the stream says of this publisher, read from its end backwards.
  private struct Search {
    /// The place behind which to go on.
    var place: HistoryPosition?
    /// The first epoch of the publisher's term, as far as was read.
    var first: UInt32?
    /// Whether there is another epoch of the publisher's term.
    var hasRival = false
    /// Whether what lies further ahead does not matter.
    var isDone = false
  }

  /// Reads how far the stream has come.
  ///
  /// - Returns: Whether it could be read. The answer may be old; then the next append is refused.
  private func locate() throws -> Bool {
    outbox = []
    lastFingerprint = nil
    guard let end = try? transport.end() else { return false }
    var search = Search()
    var sequence = end
    while sequence > 0, !search.isDone {
      guard let found = try? transport.read(from: sequence, limit: 1).first else { return false }
      // Messages from here on are gone; those before are as well.
      if found.sequence != sequence { break }
      if sequence == end { lastFingerprint = Message.fingerprint(found.bytes) }
      if let message = try Message(found.bytes) {
        try look(at: message, isLast: sequence == end, &search)
      }
      sequence -= 1
    }
    // Of two epochs of one term, readers count the one that comes first.
    if let first = search.first, first != writer.epoch { throw fenced(by: first) }
    streamLast = end
    beginsEpoch = end > 0 && search.first != writer.epoch
    try resume(after: search.place)
    return true
  }

  private func look(at message: Message, isLast: Bool, _ search: inout Search) throws {
    guard message.writer.storeID == writer.storeID else { throw ReplicationError.anotherStore }
    if message.writer.term > writer.term { throw fenced(by: message.writer.epoch) }
    let isWhole = message.part + 1 == message.parts
    if message.writer.epoch == writer.epoch {
      // Published again behind what others have added since, so that they find out that it does
      // not count.
      search.place = search.place ?? (isWhole && isLast ? message.after : message.before)
      search.first = writer.epoch
      search.isDone = !search.hasRival
    } else if message.writer.term == writer.term {
      search.first = message.writer.epoch
      search.hasRival = true
    } else if !search.hasRival, isWhole, message.last < writer.epochFirst {
      // Of an earlier epoch only what came before this one is in the history.
      search.place = message.after
      search.isDone = true
    }
  }

  private func fenced(by epoch: UInt32) -> StoreError {
    database.fence(by: epoch)
    return .fenced(epoch: epoch)
  }

  private func resume(after place: HistoryPosition?) throws {
    self.place = place
    guard let place else {
      tail = try LogTail(database, after: 0)
      return
    }
    var tail = try LogTail(database, after: place.last)
    if tail.position.last == place.last, tail.position.chain == place.chain {
      publishedThrough = max(publishedThrough, place.last)
    } else if tail.position.last > place.last {
      // The stream has what lies before the gap.
      publishedThrough = max(publishedThrough, place.last)
    } else {
      guard place.last < writer.epochFirst else {
        // Numbers that readers know would be given a second meaning.
        database.fence(by: writer.epoch)
        throw StoreError.diverged(sequence: place.last)
      }
      // Another history of an earlier epoch, none of which is this store's.
      self.place = nil
      tail = try LogTail(database, after: 0)
    }
    self.tail = tail
  }
}
