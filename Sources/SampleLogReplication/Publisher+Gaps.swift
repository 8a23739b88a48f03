import SampleLog

/// Handles commits that are missing from the stream and no longer in the logs.
extension Publisher {
  /// Returns whether the stream or a replica has reached the position before the next commits.
  ///
  /// - Returns: nil if the reports of replicas could not be read.
  func continues(_ start: HistoryPosition) throws -> Bool? {
    if start == place { return true }
    if crossesGaps {
      guard let place, !beginsEpoch else { return true }
      // The primary of the epoch may still publish the missing commits, and must not find later
      // ones in its place.
      gap = PublishingGap(published: place.last, continued: start.last)
      return false
    }
    // A later term may be that of a repaired copy, which no earlier replica can follow.
    if place == nil, start.last == 0, writer.term == 0 {
      crossing = nil
      return true
    }
    if beginsEpoch {
      // The record must fence other primaries, whether or not replicas can apply it.
      leap = PublishingGap(published: place?.last ?? 0, continued: start.last)
      return true
    }
    guard let reports = try transport.reachableReports(of: database.storeID) else { return nil }
    if reports.values.contains(where: { database.canContinue($0, from: start) }) {
      return true
    }
    // If the stream has no message of this history, publishing begins with the logs, unless the
    // logs lack commits that the stream never had, or no known replica can continue from them.
    let known = place?.last ?? database.confirmedPosition?.last ?? 0
    if place == nil, reports.isEmpty, known == 0 || start.last <= known { return true }
    if gapCount >= Replica.staleAnswerLimit {
      gap = PublishingGap(published: known, continued: start.last)
    }
    return false
  }

  /// Prepares the commits after the stream's last message, rebuilt from the store's rows.
  ///
  /// No log has these commits.
  ///
  /// - Returns: Whether the commits could be rebuilt. The stream must be known to end with this
  ///   store's history, in its epoch, and the store must have retained everything that replicas
  ///   need after that position.
  func rebuild() throws -> Bool {
    guard let place, !crossesGaps, place.last >= writer.epochFirst, isVerified(place),
      let rebuilt = try database.rebuiltCommits(after: place.last)
    else { return false }
    let commits = LogTail.Commits(
      frames: rebuilt.frames, epoch: writer.epoch, before: place, rebuilt: rebuilt.end)
    outbox =
      Message.messages(
        of: commits, writer: writer, floor: database.snapshot().floor, limit: payloadLimit)[...]
    (gap, gapCount) = (crossing, 0)
    return true
  }

  /// Returns whether the stream is known to have this store's own history up to a position.
  ///
  /// This is the case if the stream was compared with a log, or if the position in the directory's
  /// marker file is not before `place`.
  private func isVerified(_ place: HistoryPosition) -> Bool {
    if place.last <= verifiedThrough { return true }
    guard let confirmed = database.confirmedPosition else { return false }
    return place.last < confirmed.last || place == confirmed
  }

  /// Checks whether a replica has passed the gap in the stream, once there is nothing to publish.
  func closeCrossing() throws -> Step {
    guard let crossing else { return .idle }
    guard let reports = try transport.reachableReports(of: database.storeID) else {
      return .unresolved
    }
    let isCrossed = reports.values.contains { report in
      report.epoch == database.epoch && report.last >= crossing.continued
        && report.last <= database.durableEnd
    }
    guard isCrossed else { return .blocked }
    self.crossing = nil
    gap = nil
    if let place { notePublished(through: place.last) }
    return .idle
  }

  /// Reads the stream's messages, if it may have a gap or this publisher begins an epoch.
  ///
  /// An earlier publisher may have left a gap between messages. Once the directory has a confirmed
  /// position in this epoch, everything is published without a gap.
  ///
  /// A copy that was restored or repaired may begin an epoch only after one of its own history: a
  /// copy of a replaced primary would otherwise fence the one that replaced it, because each
  /// restoring or repair increases the term. A primary whose epoch the stream has had may begin it
  /// again: if the stream was lost since, another last epoch in it is of a replaced primary.
  ///
  /// - Parameters:
  ///   - end: The sequence number of the stream's last message.
  ///   - place: The position from which to publish.
  /// - Returns: Whether the stream could be read.
  /// - Throws: `StoreError.fenced` if the stream's last epoch is not in the store's history, and
  ///   the stream is not known to have had the store's epoch.
  func survey(through end: UInt64, from place: HistoryPosition?) throws -> Bool {
    let mayCross =
      !knowsCrossing && !crossesGaps && writer.term > 0
      && database.confirmedPosition.map { $0.last < writer.epochFirst } ?? true
    if end > 0, mayCross || beginsEpoch {
      var reader = HistoryReader(storeID: writer.storeID)
      var continuity = StreamContinuity()
      while reader.cursor < end {
        let cursor = reader.cursor
        let found = request { try transport.read(from: cursor + 1, limit: 64) }
        guard let found else { return false }
        // Later messages may be of a newer epoch, which is detected once the end includes them.
        try reader.take(found.filter { $0.sequence <= end }) { continuity.add($0) }
        if reader.cursor == cursor { return false }
      }
      if beginsEpoch, !wasAccepted, let last = reader.writer, !database.descends(from: last) {
        throw fenced(by: last.epoch)
      }
      if mayCross {
        crossing = continuity.gap
        // A stale answer may end before the epoch's record, and before a gap.
        knowsCrossing = continuity.writer?.epoch == writer.epoch
        // The epoch's first message may be there in part only.
        if !beginsEpoch, !knowsCrossing, let place, place != continuity.end {
          leap = PublishingGap(published: continuity.end?.last ?? 0, continued: place.last)
        }
      }
    }
    return true
  }

  /// Whether the stream is known to have had a commit of this epoch.
  private var wasAccepted: Bool {
    max(publishedThrough, database.confirmedPosition?.last ?? 0) >= writer.epochFirst
  }
}

/// A check that the valid messages of a stream continue each other.
struct StreamContinuity {
  /// The positions that the stream has reached, in order.
  private var places: [HistoryPosition] = []
  /// The last gap between messages.
  private(set) var gap: PublishingGap?
  /// The writer of the last message.
  private(set) var writer: Writer?

  /// The position that the stream has reached.
  var end: HistoryPosition? { places.last }

  /// Adds the next valid message.
  mutating func add(_ message: Message) {
    writer = message.writer
    // Commits that a writer publishes again begin at an earlier position.
    while let last = places.last, last.last > message.before.last { places.removeLast() }
    // Messages of another epoch after this position are no longer valid.
    if let gap, gap.continued > message.before.last { self.gap = nil }
    if let last = places.last, last != message.before {
      gap = PublishingGap(published: last.last, continued: message.before.last)
    }
    places.append(message.after)
  }
}
