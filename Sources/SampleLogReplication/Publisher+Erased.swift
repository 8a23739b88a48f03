import SampleLog

/// Removes erased data from the stream and from the published logs.
extension Publisher {
  /// Purges the stream of the messages before the last erasure, and removes the logs that begin
  /// before it, once every replica that reports has removed the erased data from its files.
  ///
  /// An error leaves this to the next check.
  func removeErased() {
    let erasure = database.lastErasure
    guard erasure > releasedThrough, tail != nil, outbox.isEmpty, crossing == nil, gap == nil,
      !beginsEpoch, let place, place.last >= erasure, publishedThrough >= erasure
    else { return }
    do {
      if erasure > purgedThrough {
        guard try purge(erasure) else { return }
        purgedThrough = erasure
      }
      // The marker file is written first, because it determines whether the logs continue the
      // published commits.
      try noteConfirmed()
      try database.releaseLogs(through: place.last, startingBy: erasure)
      if try !database.hasLog(startingBy: erasure) { releasedThrough = erasure }
    } catch {
      confirmations = 0
    }
  }

  /// Returns whether the stream has no message that may hold erased data.
  private func purge(_ erasure: UInt64) throws -> Bool {
    let start = try LogTail(database, after: erasure - 1)
    let last = start.position.last
    guard let first = try transport.read(from: 1, limit: 1).first else { return false }
    // Messages of a history that this one has replaced may precede all of this one's.
    if let message = try Message(first.bytes),
      let shared = database.lastShared(with: message.writer), message.last <= shared,
      !message.mayHoldErased(through: erasure, after: min(last, erasure))
    {
      return true
    }
    let reports = try transport.reports(of: database.storeID)
    // Without the log of the erasure, the logs begin after it.
    let isConfirmed = reports.values.allSatisfy {
      $0.confirms(erasure, in: database.epoch) && $0.last >= last
    }
    confirmations = isConfirmed ? confirmations + 1 : 0
    if confirmations >= confirmationCount { try replaceMessages(with: start) }
    return false
  }

  /// Publishes the commits after a position once more, and purges everything before them.
  ///
  /// The last message identifies the publisher and must stay, so it must be one without erased
  /// data. Besides, a server keeps the bytes of purged messages that share a file with others,
  /// unless they take more than half of it (nats-server 2.9). The messages of the same commits that
  /// are purged take at least as much as those that are kept.
  private func replaceMessages(with start: LogTail) throws {
    let end = streamLast
    var (next, last) = (start, start.position)
    while let commits = try next.next(byteLimit: payloadLimit) {
      // Commits that were rebuilt from segments are valid only together.
      if commits.rebuilt != nil, streamLast == end { return }
      if commits.before != last { break }
      let messages = Message.messages(
        of: commits, writer: writer, floor: database.snapshot().floor, limit: payloadLimit)
      for message in messages {
        let bytes = message.encoded
        guard case .accepted(streamLast + 1)? = try? transport.append(bytes, expecting: streamLast)
        else {
          tail = nil
          return
        }
        streamLast += 1
        lastFingerprint = Message.fingerprint(bytes)
      }
      last = next.position
    }
    guard streamLast > end else { return }
    guard next.position == last else {
      // A log was removed in the meantime. Its commits remain where they are in the stream.
      tail = nil
      return
    }
    tail = next
    confirm(last)
    try transport.trim(through: end)
  }
}

extension Message {
  /// Returns whether the message may hold data that was erased at or before a sequence number.
  ///
  /// - Parameters:
  ///   - erasure: The sequence number of the erasure.
  ///   - limit: The last sequence number before the commit with the erasure, if it is known.
  /// - Returns: False if no commit of the message precedes the erasure.
  package func mayHoldErased(through erasure: UInt64, after limit: UInt64? = nil) -> Bool {
    if before.last >= limit ?? erasure { return false }
    // Rebuilt commits omit what an erasure among them has erased.
    if isRebuilt { return last < erasure }
    return parts > 1 || frames()?.first.map { $0.last < erasure } ?? true
  }
}

extension ReplicaReport {
  /// Returns whether the replica has applied an erasure of the primary's history, and has removed
  /// the erased data from its files.
  package func confirms(_ erasure: UInt64, in epoch: UInt32) -> Bool {
    self.epoch == epoch && erasedThrough >= erasure
  }
}
