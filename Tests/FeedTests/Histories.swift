import SampleLog

@testable import SampleLogSimulation

/// A small valid history; tests break one property of it at a time.
enum Histories {
  static let a = HistorySample(sequence: 1, series: 0, id: Identifier(high: 1, low: 1), value: 1)
  static let b = HistorySample(sequence: 2, series: 1, id: Identifier(high: 1, low: 2), value: 2)
  static let c = HistorySample(sequence: 4, series: 0, id: Identifier(high: 1, low: 4), value: 4)

  static func added(_ sample: HistorySample) -> DeliveredChange {
    DeliveredChange(isDeletion: false, sample: sample)
  }

  static func deleted(_ sample: HistorySample, at sequence: UInt64) -> DeliveredChange {
    var copy = sample
    copy.sequence = sequence
    return DeliveredChange(isDeletion: true, sample: copy)
  }

  static let first = HistoryCommit(first: 1, last: 2, time: 0, added: [a, b])
  static let second = HistoryCommit(first: 3, last: 4, time: 10, targets: [1], added: [c])
  static let page1 = Delivery(
    subscriber: 0, from: 0, anchor: 2, changes: [added(a), added(b)], end: 2)
  static let page2 = Delivery(
    subscriber: 0, from: 2, anchor: 4, changes: [deleted(a, at: 3), added(c)], end: 4)

  static let good: [History.Event] = [
    .opened(end: 0, sequences: [:]),
    .started(subscriber: 0, FeedFilter(), sequence: 0),
    .listening(subscriber: 0, series: nil),
    .notified(subscriber: 0, end: 2, readable: 2),
    .committed(first),
    .delivered(page1),
    .read(opening: 1, snapshot: 1, end: 2, samples: [a, b]),
    .acknowledged(subscriber: 0, sequence: 2, floor: 0),
    .notified(subscriber: 0, end: 4, readable: 4),
    .committed(second),
    .read(opening: 1, snapshot: 2, end: 4, samples: [b, c]),
    .delivered(page2),
    .resumed(subscriber: 0, sequence: 2),
    .delivered(page2),
    .acknowledged(subscriber: 0, sequence: 4, floor: 0),
    .floor(3, now: 20, retention: 5),
    .probed(Probe(anchor: Anchor(sequence: 2), end: 4, floor: 3, outcome: .expired)),
    .probed(Probe(anchor: Anchor(sequence: 3), end: 4, floor: 3, outcome: .served)),
    .probed(Probe(anchor: Anchor(sequence: 5), end: 4, floor: 3, outcome: .future)),
    .compared(after: 3, floor: 3, [added(c)], [added(c)]),
  ]

  /// The good history with one event replaced by others.
  static func spoilt(_ old: History.Event, _ new: History.Event...) -> History {
    guard let place = good.lastIndex(of: old) else { return History() }
    var events = good
    events.replaceSubrange(place...place, with: new)
    return History(events)
  }

  /// The good history with one delivery changed.
  static func spoilt(_ page: Delivery, _ change: (inout Delivery) -> Void) -> History {
    var copy = page
    change(&copy)
    return spoilt(.delivered(page), .delivered(copy))
  }
}
