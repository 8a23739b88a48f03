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

/// An accepted batch with its sequence numbers.
package struct HistoryCommit: Hashable, Sendable {
  package var first: UInt64
  package var last: UInt64
  package var time: Double
  /// The sequence numbers of the deleted samples; deletions have the first numbers of the batch.
  package var targets: [UInt64]
  package var added: [HistorySample]
  /// The series that were erased up to this commit.
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

  /// Assigns sequence numbers to the samples, after those of the deletions.
  package mutating func number() {
    for index in added.indices {
      added[index].sequence = first + UInt64(targets.count + index)
    }
    last = first + UInt64(targets.count + added.count) - 1
  }
}

/// The filter of a subscription.
package struct FeedFilter: Hashable, Sendable {
  /// The numbers of the selected series, or nil for all.
  package var series: Set<Int>?
  /// The minimum value.
  package var minimum: Double?

  package init(series: Set<Int>? = nil, minimum: Double? = nil) {
    self.series = series
    self.minimum = minimum
  }

  package func admits(_ sample: HistorySample) -> Bool {
    series?.contains(sample.series) ?? true && minimum.map { sample.value >= $0 } ?? true
  }
}

/// A change as delivered to a subscriber.
package struct DeliveredChange: Hashable, Sendable {
  package var isDeletion: Bool
  /// The change's sequence number, and the sample it describes.
  package var sample: HistorySample

  package init(isDeletion: Bool, sample: HistorySample) {
    self.isDeletion = isDeletion
    self.sample = sample
  }
}

/// A page of the feed as delivered to a subscriber.
package struct Delivery: Hashable, Sendable {
  package var subscriber: Int
  package var limit: Int?
  package var from: UInt64
  package var anchor: UInt64
  package var hasMore: Bool
  package var changes: [DeliveredChange]
  /// The erasures that the page reported, by sequence number, with their series.
  package var erasures: [UInt64: Set<Int>] = [:]
  /// The end and floor of the page's snapshot.
  package var end: UInt64
  package var floor: UInt64
  /// Whether the subscriber had a reason to read: it was behind, or was notified.
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

/// The result of requesting the changes after a sequence number.
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
  /// The durable subscription that made the request, if any.
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

/// The events of a store and its users, in order.
package struct History: Sendable {
  package enum Event: Hashable, Sendable {
    /// A batch's save returned.
    case committed(HistoryCommit)
    /// A subscriber begins with the samples that were live at a sequence number.
    case started(subscriber: Int, FeedFilter, sequence: UInt64)
    /// A subscriber resumes from an acknowledged sequence number, with the contents it had there.
    case resumed(subscriber: Int, sequence: UInt64)
    case delivered(Delivery)
    case probed(Probe)
    /// A snapshot was read. Snapshots of one opening are numbered in the order they were taken.
    case read(opening: Int, snapshot: Int, end: UInt64, samples: [HistorySample])
    /// A subscriber starts observing commits to some series, or to all if nil.
    case listening(subscriber: Int, series: Set<Int>?)
    case silenced(subscriber: Int)
    /// A subscriber was notified of commits through `end`, when a new snapshot ended at `readable`.
    case notified(subscriber: Int, end: UInt64, readable: UInt64)
    /// A durable subscription was acknowledged and the call returned.
    case acknowledged(subscriber: Int, sequence: UInt64, floor: UInt64)
    case released(subscriber: Int)
    /// A series' registration was changed, or removed if nil, and the call returned.
    case registered(series: Int, DeliveryRegistration?, retention: Double)
    /// The registrations that an opening found.
    case remembered([Int: DeliveryRegistration])
    /// The store reported whether deliveries of a series are pending.
    case behind(series: Int, Bool, floor: UInt64)
    /// Deletions may be truncated from here until the next floor.
    case compacting
    /// The floor after a compaction or an opening, and the store's time.
    case floor(UInt64, now: Double, retention: Double)
    /// The process died, including all its observers.
    case died
    /// The store was opened, after closing or after its process died.
    case opened(end: UInt64, sequences: [Int: UInt64])
    /// The complete net feed after a sequence number, before and after a compaction.
    case compared(after: UInt64, floor: UInt64, [DeliveredChange], [DeliveredChange])
    /// The store violated an expectation.
    case broken(String)
  }

  package var events: [Event] = []

  package init(_ events: [Event] = []) { self.events = events }
}
