import SampleLog

/// Commits that the stream lacks, and the logs have not any more.
extension Publisher {
  /// Whether commits behind a place continue the stream: it has come there, or a replica has.
  ///
  /// - Returns: nil if replicas could not be asked.
  func continues(_ start: HistoryPosition) throws -> Bool? {
    if start == place || crossesGaps { return true }
    if place == nil, start.last == 0 {
      crossing = nil
      return true
    }
    if beginsEpoch {
      // The record has to fence other primaries, whether replicas can apply it or not.
      leap = PublishingGap(published: place?.last ?? 0, continued: start.last)
      return true
    }
    guard let reports = try transport.reachableReports(of: database.storeID) else { return nil }
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

  /// Prepares frames for the commits after the stream's last message, which are rebuilt from the
  /// store's rows, because no log has these commits.
  ///
  /// - Returns: Whether that is possible: the stream is known to end with this store's own history,
  ///   in its epoch, and the store remembers all that replicas need from there on.
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

  /// Whether the stream has this store's own history up to a place: it was compared with a log, or
  /// with the place in the directory's mark, at or behind it.
  private func isVerified(_ place: HistoryPosition) -> Bool {
    if place.last <= verifiedThrough { return true }
    guard let confirmed = database.confirmedPosition else { return false }
    return place.last < confirmed.last || place == confirmed
  }

  /// Looks whether a replica follows what lies behind the commits that the stream lacks, once there
  /// is nothing to publish.
  func closeCrossing() throws -> Step {
    guard let crossing else { return .idle }
    guard let reports = try transport.reachableReports(of: database.storeID) else {
      return .unresolved
    }
    let isFollowed = reports.values.contains { report in
      report.epoch == database.epoch && report.last >= crossing.continued
        && report.last <= database.durableEnd
    }
    guard isFollowed else { return .blocked }
    self.crossing = nil
    gap = nil
    if let place { notePublished(through: place.last) }
    return .idle
  }

  /// Looks for commits that the stream lacks between its messages, which publishers that are gone
  /// have left out.
  ///
  /// Everything is published without a gap from when on the directory has a place of the epoch as
  /// confirmed.
  ///
  /// - Returns: Whether the stream could be read.
  func findCrossing(through end: UInt64) throws -> Bool {
    if let confirmed = database.confirmedPosition?.last, confirmed >= writer.epochFirst {
      return true
    }
    if writer.term == 0 || end == 0 { return true }
    var reader = HistoryReader(storeID: writer.storeID)
    var continuity = StreamContinuity()
    while reader.cursor < end {
      let cursor = reader.cursor
      guard let found = try? transport.read(from: cursor + 1, limit: 64) else { return false }
      try reader.take(found) { continuity.add($0) }
      if reader.cursor == cursor { return false }
    }
    crossing = continuity.gap
    return true
  }
}

/// Whether the messages of a stream that count lead from one to the next.
struct StreamContinuity {
  /// The places that the stream has come to, in order.
  private var places: [HistoryPosition] = []
  /// The last commits that are missing between messages.
  private(set) var gap: PublishingGap?

  /// Takes the next message that counts.
  mutating func add(_ message: Message) {
    // What a writer publishes again begins at a place before.
    while let last = places.last, last.last > message.before.last { places.removeLast() }
    // What another epoch had published behind there does not count any more.
    if let gap, gap.continued > message.before.last { self.gap = nil }
    if let last = places.last, last != message.before {
      gap = PublishingGap(published: last.last, continued: message.before.last)
    }
    places.append(message.after)
  }
}
