import SampleLog

/// Finding the place in the stream behind which to publish.
extension Publisher {
  /// A search for this publisher's messages, from the end of the stream backwards.
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
  func locate() throws -> Bool {
    outbox = []
    leap = nil
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
    if !knowsCrossing, !crossesGaps {
      guard try findCrossing(through: end) else { return false }
      // An old answer may end before the epoch's record, and before a gap.
      knowsCrossing = search.first == writer.epoch
    }
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
      verifiedThrough = max(verifiedThrough, place.last)
      notePublished(through: place.last)
    } else if tail.position.last > place.last {
      // The stream has what lies before the gap.
      notePublished(through: place.last)
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
