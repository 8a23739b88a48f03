package import SampleLog

/// A sample as it was saved.
package struct HistorySample: Hashable, Sendable {
  package var sequence: UInt64
  package var series: Int
  package var id: Identifier
  package var value: Double

  package init(sequence: UInt64, series: Int, id: Identifier, value: Double) {
    self.sequence = sequence
    self.series = series
    self.id = id
    self.value = value
  }
}

/// A batch that was accepted, with its numbers.
package struct HistoryCommit: Hashable, Sendable {
  package var first: UInt64
  package var last: UInt64
  package var time: Double
  /// The sequence numbers of the samples that went; deletions have the first numbers.
  package var targets: [UInt64]
  package var added: [HistorySample]
  /// The series of which everything before was erased.
  package var erased: Set<Int>

  package init(
    first: UInt64, last: UInt64, time: Double = 0, targets: [UInt64] = [],
    added: [HistorySample] = [], erased: Set<Int> = []
  ) {
    self.first = first
    self.last = last
    self.time = time
    self.targets = targets
    self.added = added
    self.erased = erased
  }

  /// Gives the samples their numbers, which follow those of the deletions.
  package mutating func number() {
    for index in added.indices {
      added[index].sequence = first + UInt64(targets.count + index)
    }
    last = first + UInt64(targets.count + added.count) - 1
  }
}

/// What a subscriber wants.
package struct FeedFilter: Hashable, Sendable {
  /// The numbers of series wanted; nil for all.
  package var series: Set<Int>?
  /// The least value wanted.
  package var minimum: Double?

  package init(series: Set<Int>? = nil, minimum: Double? = nil) {
    self.series = series
    self.minimum = minimum
  }

  package func admits(_ sample: HistorySample) -> Bool {
    series?.contains(sample.series) ?? true && minimum.map { sample.value >= $0 } ?? true
  }
}

/// A change as a subscriber got it.
package struct DeliveredChange: Hashable, Sendable {
  package var isDeletion: Bool
  /// The change's number, and what it says about the sample.
  package var sample: HistorySample

  package init(isDeletion: Bool, sample: HistorySample) {
    self.isDeletion = isDeletion
    self.sample = sample
  }
}

/// A page of the feed as a subscriber got it.
package struct Delivery: Hashable, Sendable {
  package var subscriber: Int
  package var limit: Int?
  package var from: UInt64
  package var anchor: UInt64
  package var hasMore: Bool
  package var changes: [DeliveredChange]
  /// The erasures that the page reported, by number, with the series of each.
  package var erasures: [UInt64: Set<Int>] = [:]
  /// The end and floor of the snapshot that it was read from.
  package var end: UInt64
  package var floor: UInt64
  /// Whether the subscriber had any reason to read: it was behind, or had been notified.
  package var wasExpected: Bool

  package init(
    subscriber: Int, limit: Int? = nil, from: UInt64, anchor: UInt64, hasMore: Bool = false,
    changes: [DeliveredChange] = [], end: UInt64, floor: UInt64 = 0, wasExpected: Bool = true
  ) {
    self.subscriber = subscriber
    self.limit = limit
    self.from = from
    self.anchor = anchor
    self.hasMore = hasMore
    self.changes = changes
    self.end = end
    self.floor = floor
    self.wasExpected = wasExpected
  }
}

/// What came of asking for the changes after some sequence number.
package struct Probe: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case served
    case expired
    case future
    case failed(String)
  }

  package var anchor: Anchor
  package var end: UInt64
  package var floor: UInt64
  package var outcome: Outcome
  /// The durable subscription that asked, if one did.
  package var durable: String?

  package init(
    anchor: Anchor, end: UInt64, floor: UInt64, outcome: Outcome,
    durable: String? = nil
  ) {
    self.anchor = anchor
    self.end = end
    self.floor = floor
    self.outcome = outcome
    self.durable = durable
  }
}

/// What happened to a store and to those who use it, in order.
package struct History: Sendable {
  package enum Event: Hashable, Sendable {
    /// A batch's save returned.
    case committed(HistoryCommit)
    /// A subscriber begins with what was alive at a sequence number.
    case started(subscriber: Int, FeedFilter, sequence: UInt64)
    /// A subscriber goes on from a sequence number that it acknowledged, with what it had there.
    case resumed(subscriber: Int, sequence: UInt64)
    case delivered(Delivery)
    case probed(Probe)
    /// A snapshot was read; snapshots of one opening are numbered as they were taken.
    case read(opening: Int, snapshot: Int, end: UInt64, samples: [HistorySample])
    /// A subscriber observes commits, or does not any more.
    case listening(subscriber: Int, series: Set<Int>?)
    case silenced(subscriber: Int)
    /// A notification came that named an end, when another could be read.
    case notified(subscriber: Int, end: UInt64, readable: UInt64)
    /// A durable subscription's sequence number was acknowledged and the call returned.
    case acknowledged(subscriber: Int, sequence: UInt64, floor: UInt64)
    case released(subscriber: Int)
    /// A series' registration was changed and the call returned; nil when it was removed.
    case registered(series: Int, DeliveryRegistration?, retention: Double)
    /// The registrations that an opening found.
    case remembered([Int: DeliveryRegistration])
    /// Whether the store says that there is something to deliver of a series.
    case behind(series: Int, Bool, floor: UInt64)
    /// From here on deletions may be forgotten, until the next floor.
    case compacting
    /// The floor after a compaction or an opening, and the time by the store's clock.
    case floor(UInt64, now: Double, retention: Double)
    /// The process died, and with it all who listened.
    case died
    /// The store was opened, after closing or after its process died.
    case opened(end: UInt64, sequences: [Int: UInt64])
    /// The net feed after a sequence number before and after a compaction, without limit.
    case compared(after: UInt64, floor: UInt64, [DeliveredChange], [DeliveredChange])
    /// The store said or did what nothing explains.
    case broken(String)
  }

  package var events: [Event] = []

  package init(_ events: [Event] = []) { self.events = events }
}
