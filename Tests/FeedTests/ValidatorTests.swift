import SampleLog
import Testing

@testable import SampleLogSimulation

/// Each property detects the violation that it exists for.
@Suite struct ValidatorTests {
  private func breaks(_ name: String, _ history: History) -> Bool {
    guard !history.events.isEmpty else { return false }
    return Validator.all.contains { $0.name == name && !$0.breaches(history).isEmpty }
  }

  @Test func `A valid history violates no property`() {
    #expect(Validator.check(History(Histories.good)) == [])
  }

  @Test func `Changes out of order are detected`() {
    #expect(breaks("ordered", Histories.spoilt(Histories.page1) { $0.changes.reverse() }))
    #expect(breaks("ordered", Histories.spoilt(Histories.page2) { $0.anchor = 1 }))
    #expect(breaks("ordered", Histories.spoilt(Histories.page2) { $0.from = 3 }))
  }

  @Test func `A change that is delivered twice is detected`() {
    let twice = Histories.spoilt(
      .resumed(subscriber: 0, sequence: 2), .resumed(subscriber: 0, sequence: 4))
    #expect(breaks("unique", twice))
  }

  @Test func `A missing or invented change is detected`() {
    #expect(breaks("exact", Histories.spoilt(Histories.page2) { $0.changes.removeFirst() }))
    #expect(
      breaks("exact", Histories.spoilt(Histories.page2) { $0.changes[1].sample.value = 5 }))
    #expect(breaks("exact", Histories.spoilt(Histories.page1) { $0.end = 9 }))
  }

  @Test func `A fold that differs from the state is detected`() {
    #expect(breaks("reliable", Histories.spoilt(Histories.page2) { $0.changes.removeFirst() }))
    #expect(breaks("reliable", Histories.spoilt(Histories.page2) { $0.changes.removeLast() }))
    #expect(
      breaks("reliable", Histories.spoilt(Histories.page1) { $0.changes[0].sample.id.low = 9 }))
  }

  @Test func `An unlimited page that ends inside a batch is detected`() {
    let half = Histories.spoilt(Histories.page2) {
      $0.anchor = 3
      $0.end = 3
      $0.changes.removeLast()
    }
    #expect(breaks("atomic", half))
    #expect(breaks("atomic", Histories.spoilt(Histories.page2) { $0.hasMore = true }))
  }

  @Test func `An anchor beyond the delivered changes is detected`() {
    #expect(
      breaks(
        "bookmarkable", Histories.spoilt(Histories.page2) { $0.changes[0].sample.sequence = 2 }))
    #expect(breaks("bookmarkable", Histories.spoilt(Histories.page2) { $0.wasExpected = false }))
  }

  @Test func `A reader that resumes at an anchor it did not acknowledge is detected`() {
    let behind = Histories.spoilt(
      .resumed(subscriber: 0, sequence: 2), .resumed(subscriber: 0, sequence: 1))
    #expect(breaks("resumable", behind))
  }

  @Test func `A feed that compaction changed is detected above the floor and allowed below it`() {
    let event = History.Event.compared(
      after: 3, floor: 3, [Histories.added(Histories.c)], [Histories.added(Histories.c)])
    #expect(
      breaks(
        "compaction-blind",
        Histories.spoilt(event, .compared(after: 3, floor: 3, [Histories.added(Histories.c)], []))))
    #expect(
      !breaks(
        "compaction-blind",
        Histories.spoilt(event, .compared(after: 2, floor: 3, [Histories.added(Histories.c)], []))))
  }

  @Test func `A floor that is off by one, falls, or is above a needed deletion is detected`() {
    let probe = { (sequence: UInt64, outcome: Probe.Outcome) in
      let anchor = Anchor(sequence: sequence)
      return History.Event.probed(Probe(anchor: anchor, end: 4, floor: 3, outcome: outcome))
    }
    let floor = History.Event.floor(3, now: 20, retention: 5)
    for bad in [
      Histories.spoilt(probe(2, .expired), probe(2, .served)),
      Histories.spoilt(probe(3, .served), probe(3, .expired)),
      Histories.spoilt(probe(5, .future), probe(5, .served)),
      Histories.spoilt(floor, floor, .floor(0, now: 20, retention: 5)),
      Histories.spoilt(floor, .floor(4, now: 20, retention: 5)),
      Histories.spoilt(floor, .floor(3, now: 12, retention: 5)),
      Histories.spoilt(
        .acknowledged(subscriber: 0, sequence: 4, floor: 0),
        .acknowledged(subscriber: 0, sequence: 2, floor: 0)),
    ] {
      #expect(breaks("honest floor", bad))
    }
  }

  @Test func `A deletion that is not delivered is detected`() {
    let late = History([
      .committed(Histories.first), .started(subscriber: 0, FeedFilter(), sequence: 2),
      .committed(Histories.second),
      .delivered(
        Delivery(
          subscriber: 0, from: 2, anchor: 4, changes: [Histories.added(Histories.c)], end: 4)),
    ])
    #expect(breaks("deletions", late))
  }

  @Test func `A snapshot that shows half a batch or changes is detected`() {
    let whole = History.Event.read(
      opening: 1, snapshot: 1, end: 2, samples: [Histories.a, Histories.b])
    #expect(
      breaks(
        "repeatable",
        Histories.spoilt(
          whole, .read(opening: 1, snapshot: 1, end: 2, samples: [Histories.a]))))
  }

  @Test func `A snapshot that goes back or lacks an acknowledged commit is detected`() {
    let now = History.Event.read(
      opening: 1, snapshot: 2, end: 4, samples: [Histories.b, Histories.c])
    #expect(
      breaks(
        "monotonic",
        Histories.spoilt(
          now, .read(opening: 1, snapshot: 2, end: 2, samples: [Histories.a, Histories.b]))))
    #expect(breaks("monotonic", Histories.spoilt(Histories.page2) { $0.end = 2 }))
  }

  @Test func `A notification that is duplicated, early or missing is detected`() {
    let notice = History.Event.notified(subscriber: 0, end: 4, readable: 4)
    #expect(breaks("woken", Histories.spoilt(notice, notice, notice)))
    #expect(
      breaks("woken", Histories.spoilt(notice, .notified(subscriber: 0, end: 4, readable: 2))))
    #expect(breaks("woken", Histories.spoilt(notice)))
    let listening = History.Event.listening(subscriber: 0, series: nil)
    #expect(
      breaks("woken", Histories.spoilt(listening, .listening(subscriber: 0, series: [3]))))
  }

  @Test func `An acknowledged anchor that goes back or is lost is detected`() {
    let last = History.Event.acknowledged(subscriber: 0, sequence: 4, floor: 0)
    let back = History.Event.acknowledged(subscriber: 0, sequence: 1, floor: 0)
    #expect(breaks("acknowledged", Histories.spoilt(last, back)))
    #expect(
      breaks("acknowledged", Histories.spoilt(last, last, .opened(end: 4, sequences: [0: 2]))))
  }

  @Test func `A sequence number that is assigned twice or lost is detected`() {
    let second = History.Event.committed(Histories.second)
    #expect(breaks("numbered", Histories.spoilt(second, .committed(Histories.first))))
    #expect(breaks("numbered", Histories.spoilt(second, second, .opened(end: 2, sequences: [:]))))
  }

  private func registered(
    _ sequence: UInt64, isStopped: Bool = false, retention: Double = 100
  ) -> History.Event {
    var registration = DeliveryRegistration(frequency: 1, sequence: sequence)
    registration.isStopped = isStopped
    return .registered(series: 0, registration, retention: retention)
  }

  @Test func `A registration that recovery changes or loses is detected`() {
    var later = DeliveryRegistration(frequency: 1, sequence: 2)
    #expect(!breaks("remembered", History([registered(2), .remembered([0: later])])))
    later.failureCount = 1
    for found in [[:], [0: later], [1: DeliveryRegistration(frequency: 1, sequence: 2)]] {
      #expect(breaks("remembered", History([registered(2), .remembered(found)])))
    }
  }

  @Test func `A change that is never delivered and an empty delivery are detected`() {
    let commits: [History.Event] = [.committed(Histories.first), .committed(Histories.second)]
    for (sequence, isBehind, isWrong) in [
      (2, true, false), (2, false, true), (3, false, true), (4, false, false), (4, true, true),
    ] as [(UInt64, Bool, Bool)] {
      let history = History(
        commits + [registered(sequence), .behind(series: 0, isBehind, floor: 0)])
      #expect(breaks("delivered", history) == isWrong)
    }
    let passed = History(commits + [registered(2), .behind(series: 0, true, floor: 3)])
    #expect(!breaks("delivered", passed))
    #expect(breaks("delivered", History([.behind(series: 0, false, floor: 0)])))
  }

  @Test func `A forgotten deletion that a registration needed is detected`() {
    func history(_ registration: History.Event, now: Double = 20) -> History {
      History([
        .committed(Histories.first), registration, .committed(Histories.second), .compacting,
        .floor(3, now: now, retention: 5),
      ])
    }
    #expect(breaks("kept", history(registered(2))))
    #expect(!breaks("kept", history(registered(2, isStopped: true))))
    #expect(!breaks("kept", history(registered(4))))
    #expect(!breaks("kept", history(registered(2), now: 111)))
  }
}
