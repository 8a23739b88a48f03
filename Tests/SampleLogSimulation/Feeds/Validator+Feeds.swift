/// Checks the order, completeness and resumption of the pages that subscribers read.
extension Validator {
  /// I13: anchors never decrease; within a page, sequence numbers increase and lie between its two
  /// anchors.
  static let ordered = Validator(name: "ordered") { history in
    eachDelivery(history) { delivery, last in
      var found: [String] = []
      if delivery.anchor < delivery.from { found.append("an anchor went back in \(delivery)") }
      if let last, delivery.from != last {
        found.append("read from \(delivery.from), had come to \(last)")
      }
      if !delivery.changes.isEmpty, delivery.anchor == delivery.from {
        found.append("changes were delivered and the anchor \(delivery.anchor) stayed")
      }
      var number = delivery.from
      for change in delivery.changes {
        if change.sample.sequence <= number || change.sample.sequence > delivery.anchor {
          found.append("\(change.sample.sequence) after \(number) in \(delivery)")
        }
        number = change.sample.sequence
      }
      return found
    }
  }

  /// I14: a subscriber that resumes at its position receives no change twice.
  static let unique = Validator(name: "unique") { history in
    var found: [String] = []
    var notified: [Int: Set<UInt64>] = [:]
    for event in history.events {
      switch event {
      case .started(let subscriber, _, _): notified[subscriber] = []
      case .resumed(let subscriber, let sequence):
        notified[subscriber] = notified[subscriber]?.filter { $0 <= sequence }
      case .delivered(let delivery):
        for change in delivery.changes
        where !notified[delivery.subscriber, default: []].insert(change.sample.sequence).inserted {
          found.append("\(change.sample.sequence) came twice to \(delivery.subscriber)")
        }
      default: break
      }
    }
    return found
  }

  /// I16: a page ends within a batch only if its limit was reached.
  static let atomic = Validator(name: "atomic") { history in
    var model = HistoryModel()
    var pages: [Delivery] = []
    for event in history.events {
      if case .committed(let commit) = event { model.commit(commit) }
      if case .delivered(let delivery) = event { pages.append(delivery) }
    }
    return pages.compactMap { page in
      if page.hasMore {
        return page.limit.map { page.changes.count == $0 } ?? false
          ? nil : "a page was cut by something else than its limit: \(page)"
      }
      if let limit = page.limit, page.changes.count > limit { return "too many in \(page)" }
      if page.anchor != page.end { return "an uncut page stopped before its end: \(page)" }
      guard let commit = model.commit(of: page.anchor), commit.last != page.anchor else {
        return nil
      }
      return "a page ends at \(page.anchor), inside \(commit.first)...\(commit.last)"
    }
  }

  /// I18: after an anchor, no change at or before it is delivered, and a subscriber without a
  /// reason to read receives none.
  static let bookmarkable = Validator(name: "bookmarkable") { history in
    eachDelivery(history) { delivery, last in
      var found: [String] = []
      if let last, delivery.changes.contains(where: { $0.sample.sequence <= last }) {
        found.append("the anchor \(last) had promised what came in \(delivery)")
      }
      if !delivery.wasExpected, !delivery.changes.isEmpty {
        found.append("no notification for \(delivery)")
      }
      return found
    }
  }

  /// I17: a subscriber that resumes from an acknowledged sequence number continues exactly there.
  static let resumable = Validator(name: "resumable") { history in
    var found: [String] = []
    var acknowledged: [Int: UInt64] = [:]
    for event in history.events {
      switch event {
      case .acknowledged(let subscriber, let sequence, _): acknowledged[subscriber] = sequence
      case .released(let subscriber): acknowledged[subscriber] = nil
      case .resumed(let subscriber, let sequence):
        if sequence != acknowledged[subscriber] {
          found.append(
            "\(subscriber) went on from \(sequence), not its acknowledged sequence number")
        }
      default: break
      }
    }
    return found
  }

  /// I19: a compaction changes no feed that starts at or after its floor; a feed from 0 may lose
  /// only deletions below it.
  static let compactionBlind = Validator(name: "compaction-blind") { history in
    history.events.compactMap { event in
      guard case .compared(let sequence, let floor, let before, let after) = event else {
        return nil
      }
      if sequence != 0, sequence < floor { return nil }
      let needed = { (changes: [DeliveredChange]) in
        changes.filter { !$0.isDeletion || $0.sample.sequence > floor }
      }
      return needed(before) == needed(after)
        ? nil : "the feed after \(sequence) was \(before) and became \(after)"
    }
  }

  /// Calls a function with each page and the preceding position of its subscriber.
  private static func eachDelivery(
    _ history: History, _ body: (Delivery, UInt64?) -> [String]
  ) -> [String] {
    var found: [String] = []
    var sequences: [Int: UInt64] = [:]
    for event in history.events {
      switch event {
      case .started(let subscriber, _, let sequence), .resumed(let subscriber, let sequence):
        sequences[subscriber] = sequence
      case .delivered(let delivery):
        found += body(delivery, sequences[delivery.subscriber])
        sequences[delivery.subscriber] = delivery.anchor
      default: break
      }
    }
    return found
  }
}
