import SampleLog

/// Locates the position in the stream after which to publish.
extension Publisher {
  /// The state of a search for this publisher's messages, backwards from the end of the stream.
  private struct Search {
    /// The position after which to continue.
    var place: HistoryPosition?
    /// The first epoch with the publisher's term in the messages read so far.
    var first: UInt32?
    /// Whether another epoch has the publisher's term.
    var hasRival = false
    /// Whether earlier messages are irrelevant.
    var isDone = false
  }

  /// Reads the end of the stream and determines where to continue.
  ///
  /// - Returns: Whether the stream could be read. If its answer was stale, the next append is
  ///   refused.
  func locate() throws -> Bool {
    outbox = []
    leap = nil
    lastFingerprint = nil
    // If the stream was lost, the logs of this store or of a primary that it replaced may have
    // published erased data again.
    purgedThrough = 0
    releasedThrough = 0
    guard let end = request({ try transport.end() }) else { return false }
    var search = Search()
    var sequence = end
    while sequence > 0, !search.isDone {
      guard let found = request({ try transport.read(from: sequence, limit: 1) })?.first
      else { return false }
      // The stream no longer has this message, nor any before it.
      if found.sequence != sequence { break }
      if sequence == end { lastFingerprint = Message.fingerprint(found.bytes) }
      if let message = try Message(found.bytes) {
        try look(at: message, isLast: sequence == end, &search)
      }
      sequence -= 1
    }
    // Of two epochs with equal terms, readers accept the one that comes first.
    if let first = search.first, first != writer.epoch { throw fenced(by: first) }
    beginsEpoch = end > 0 && search.first != writer.epoch
    guard try survey(through: end, from: search.place) else { return false }
    streamLast = end
    try resume(after: search.place)
    return true
  }

  private func look(at message: Message, isLast: Bool, _ search: inout Search) throws {
    guard message.writer.storeID == writer.storeID else { throw ReplicationError.anotherStore }
    if message.writer.term > writer.term { throw fenced(by: message.writer.epoch) }
    let isWhole = message.part + 1 == message.parts
    if message.writer.epoch == writer.epoch {
      // If other writers have appended messages since, this one is published again after them, so
      // that those writers detect that their messages are rejected.
      search.place = search.place ?? (isWhole && isLast ? message.after : message.before)
      search.first = writer.epoch
      search.isDone = !search.hasRival
    } else if message.writer.term == writer.term {
      search.first = message.writer.epoch
      search.hasRival = true
    } else if !search.hasRival, isWhole, message.last < writer.epochFirst {
      // Of an earlier epoch, only commits before the start of this one are in the history.
      search.place = message.after
      search.isDone = true
    }
  }

  func fenced(by epoch: UInt32) -> StoreError {
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
      verifiedThrough = max(verifiedThrough, place.last)
      notePublished(through: place.last)
    } else if tail.position.last > place.last {
      // The stream has everything before the gap.
      notePublished(through: place.last)
    } else {
      guard place.last < writer.epochFirst else {
        // Otherwise, sequence numbers that readers have seen would be assigned again.
        database.fence(by: writer.epoch)
        throw StoreError.diverged(sequence: place.last)
      }
      // The stream has another history of an earlier epoch, no part of which is this store's.
      self.place = nil
      tail = try LogTail(database, after: 0)
    }
    self.tail = tail
  }
}
