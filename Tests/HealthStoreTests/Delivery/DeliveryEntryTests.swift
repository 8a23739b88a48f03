import SampleLog
import Testing

@testable import HealthStore

/// The deliveries of one series, step by step.
@Suite struct DeliveryEntryTests {
  private let test: DeliveryStore
  private let scheduler: DeliveryScheduler
  private let observers: [DeliveryObserver]
  /// An observer that joins later than the others.
  private let late: DeliveryObserver

  init() throws {
    let test = try DeliveryStore()
    let scheduler = try #require(DeliveryScheduler.of(test.database, clock: test.clock.clock))
    let reader = StoreReader(
      OpenStore(test.database, clock: test.clock.clock), subject: "ada", policy: nil)
    let plan = QueryPlan(
      types: [], selection: SeriesSelection([:] as [SeriesKey: RowFilter]),
      names: SymbolLease(test.database.symbols))
    observers = (0..<3).map { _ in DeliveryObserver(scheduler, plan, reader) { _, _ in } }
    late = DeliveryObserver(scheduler, plan, reader) { _, _ in }
    self.test = test
    self.scheduler = scheduler
  }

  private func time(_ uptime: Double) -> DeliveryTime {
    DeliveryTime(uptime: uptime, date: 1000 + uptime)
  }

  /// An entry whose first observer was called at 10 for changes up to 5.
  ///
  /// The other observers have not been examined.
  private func entry(
    frequency: HKUpdateFrequency = .immediate
  ) -> (entry: DeliveryEntry, delivery: Int) {
    let registration = DeliveryRegistration(frequency: UInt8(frequency.rawValue), sequence: 2)
    var entry = DeliveryEntry(registration, now: time(0), timeout: 30)
    var effects = DeliveryEntry.Effects()
    for observer in observers {
      #expect(entry.join(observer, end: 3, isBehind: false, time(0), &effects) == nil)
    }
    #expect(effects.isEmpty && entry.delivery == nil)
    let delivery = entry.report(observers[0], isMatch: true, through: 5, time(10), &effects)
    #expect(effects.calls.isEmpty)
    #expect(effects.examinations.map(\.observer.number) == numbers(1, 2))
    #expect(effects.examinations.map(\.after) == [3, 3])
    return (entry, delivery ?? 0)
  }

  private func numbers(_ indices: Int...) -> [Int] { indices.map { observers[$0].number } }

  private func pending(_ entry: DeliveryEntry) -> Set<Int> {
    Set(entry.members.filter(\.value.isPending).keys)
  }

  @Test func `A delivery has an end, a deadline and pending observers`() throws {
    let (entry, number) = entry()
    let delivery = try #require(entry.delivery)
    #expect(delivery.number == number && number > 0 && delivery.end == 5 && delivery.deadline == 40)
    #expect(delivery.outstanding == Set(numbers(0)) && delivery.unexamined == Set(numbers(1, 2)))
    #expect(delivery.isDelivery && !delivery.isIncomplete)
    #expect(entry.nextEvent == 40)
    #expect(entry.registration.lastDelivery == 1010 && entry.registration.sequence == 2)
  }

  @Test func `A late delivery is repeated for the called and the unexamined observers`()
    throws
  {
    var (entry, number) = entry()
    let before = entry.failIfLate(time(39.9))
    #expect(!before && entry.delivery != nil && entry.registration.failureCount == 0)
    let late = entry.failIfLate(time(40))
    #expect(late && entry.delivery == nil)
    #expect(pending(entry) == Set(numbers(0, 1, 2)))
    #expect(entry.registration.sequence == 2 && entry.registration.failureCount == 1)
    #expect(!entry.registration.isStopped && entry.dirt == .urgent)
    #expect(entry.notBefore == 100 && entry.nextEvent == 100)
    let again = entry.failIfLate(time(1000))
    #expect(!again, "a late delivery failed twice")
    // A late acknowledgement belongs to no delivery and acknowledges nothing.
    entry.complete(observers[0].number, delivery: number)
    var effects = DeliveryEntry.Effects()
    for observer in observers[1...] {
      let call = entry.report(observer, isMatch: false, through: 5, time(50), &effects)
      #expect(call == nil)
    }
    #expect(entry.registration.sequence == 2 && pending(entry) == Set(numbers(0, 1, 2)))
    entry.beginIfDue(end: 6, time(99), &effects)
    #expect(effects.isEmpty && entry.delivery == nil)
    entry.beginIfDue(end: 6, time(100), &effects)
    let delivery = try #require(entry.delivery)
    #expect(effects.calls.map(\.observer.number) == numbers(0, 1, 2))
    #expect(
      effects.calls.allSatisfy { $0.delivery == delivery.number } && effects.examinations.isEmpty)
    #expect(delivery.number > number && delivery.end == 6 && delivery.unexamined.isEmpty)
    for observer in observers {
      #expect(entry.delivery != nil && entry.registration.sequence == 2)
      entry.complete(observer.number, delivery: delivery.number)
    }
    #expect(entry.delivery == nil && entry.registration.sequence == 6)
    #expect(entry.registration.failureCount == 0 && pending(entry).isEmpty)
  }

  @Test func `A delivery waits for the called and the unexamined observers`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    entry.complete(observers[0].number, delivery: number)
    #expect(entry.delivery != nil && entry.nextEvent == .infinity, "no called observer is pending")
    let isLate = entry.failIfLate(time(1000))
    #expect(!isLate && entry.registration.failureCount == 0)
    // An observer examined only up to a point before the delivery's end is examined again.
    let early = entry.report(observers[1], isMatch: false, through: 4, time(11), &effects)
    #expect(early == nil && entry.delivery?.unexamined == Set(numbers(1, 2)))
    let none = entry.report(observers[1], isMatch: false, through: 5, time(12), &effects)
    #expect(none == nil && entry.delivery?.unexamined == Set(numbers(2)))
    let call = entry.report(observers[2], isMatch: true, through: 7, time(20), &effects)
    #expect(call == number && entry.delivery?.deadline == 50)
    #expect(entry.registration.sequence == 2)
    entry.complete(observers[2].number, delivery: number)
    #expect(entry.delivery == nil && entry.registration.sequence == 5)
    #expect(entry.dirt == .acknowledgement)
  }

  @Test func `Failures wait longer each time, and the third stops delivery`() {
    var (entry, _) = entry()
    var now = 40.0
    for (count, wait) in [(1, 60.0), (2, 120), (3, 240)] {
      let isLate = entry.failIfLate(time(now))
      #expect(isLate && entry.registration.failureCount == count)
      #expect(entry.notBefore == now + wait && entry.registration.isStopped == (count == 3))
      now = entry.notBefore
      var effects = DeliveryEntry.Effects()
      entry.beginIfDue(end: 9, time(now), &effects)
      #expect(effects.calls.count == (count < 3 ? 3 : 0))
      now = entry.delivery?.deadline ?? now
    }
    #expect(entry.nextEvent == .infinity && pending(entry) == Set(numbers(0, 1, 2)))
    entry.dirt = .nothing
    entry.reset()
    #expect(entry.registration.failureCount == 0 && !entry.registration.isStopped)
    #expect(entry.notBefore == -.infinity && entry.dirt == .urgent)
    var effects = DeliveryEntry.Effects()
    entry.beginIfDue(end: 9, time(now), &effects)
    #expect(effects.calls.count == 3)
  }

  @Test
  func `An observer that leaves before it is examined leaves its changes to the next delivery`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    entry.leave(observers[1].number)
    #expect(entry.delivery?.isIncomplete == true && entry.delivery?.unexamined == Set(numbers(2)))
    entry.complete(observers[0].number, delivery: number)
    _ = entry.report(observers[2], isMatch: false, through: 5, time(12), &effects)
    #expect(entry.delivery == nil && entry.registration.sequence == 2)
  }

  // MARK: Observers that join, report and leave

  /// An entry without a delivery, whose observers have examined changes up to 3.
  private func idleEntry(
    _ count: Int = 3, _ change: (inout DeliveryRegistration) -> Void = { _ in }
  ) -> DeliveryEntry {
    var registration = DeliveryRegistration(
      frequency: UInt8(HKUpdateFrequency.immediate.rawValue), sequence: 2)
    change(&registration)
    var entry = DeliveryEntry(registration, now: time(0), timeout: 30)
    var effects = DeliveryEntry.Effects()
    for observer in observers.prefix(count) {
      _ = entry.join(observer, end: 3, isBehind: false, time(0), &effects)
    }
    return entry
  }

  /// Makes a registration hourly, with a delivery ten seconds before time 0.
  private func makeHourly(_ registration: inout DeliveryRegistration) {
    registration.frequency = UInt8(HKUpdateFrequency.hourly.rawValue)
    registration.lastDelivery = 990
  }

  @Test func `An observer that joins during a delivery must acknowledge its call`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    let call = entry.join(late, end: 6, isBehind: true, time(20), &effects)
    #expect(call == number && effects.isEmpty)
    #expect(entry.delivery?.outstanding == [observers[0].number, late.number])
    #expect(entry.delivery?.deadline == 50 && entry.members[late.number]?.examined == 6)
    #expect(entry.registration.lastDelivery == 1010, "its time is that of the first call")
    entry.complete(observers[0].number, delivery: number)
    for observer in observers[1...] {
      _ = entry.report(observer, isMatch: false, through: 5, time(21), &effects)
    }
    #expect(entry.delivery != nil && entry.registration.sequence == 2)
    entry.complete(late.number, delivery: number)
    #expect(entry.delivery == nil && entry.registration.sequence == 5)
  }

  @Test func `An observer without changes joins and leaves without affecting a delivery`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    let call = entry.join(late, end: 6, isBehind: false, time(20), &effects)
    #expect(call == nil && entry.delivery?.outstanding == Set(numbers(0)))
    entry.leave(late.number)
    #expect(entry.delivery?.isIncomplete == false)
    entry.complete(observers[0].number, delivery: number)
    // It has acknowledged, so its end leaves nothing unacknowledged.
    entry.leave(observers[0].number)
    #expect(entry.delivery?.isIncomplete == false)
    for observer in observers[1...] {
      _ = entry.report(observer, isMatch: false, through: 5, time(21), &effects)
    }
    #expect(entry.delivery == nil && entry.registration.sequence == 5)
  }

  @Test func `Within a period only the first observer is called when it joins`() {
    var entry = idleEntry(0, makeHourly)
    var effects = DeliveryEntry.Effects()
    #expect(entry.notBefore == 3590)
    let first = entry.join(observers[0], end: 3, isBehind: true, time(1), &effects)
    #expect(first == entry.delivery?.number && entry.delivery?.end == 3)
    #expect(entry.registration.lastDelivery == 1001 && entry.notBefore == 3601)
    #expect(entry.dirt == .urgent, "the time of a delivery must survive a crash")
    entry.complete(observers[0].number, delivery: first ?? 0)
    #expect(entry.delivery == nil && entry.registration.sequence == 3)
    let second = entry.join(observers[1], end: 4, isBehind: true, time(2), &effects)
    #expect(second == nil && entry.delivery == nil && entry.nextEvent == 3601)
    #expect(pending(entry) == Set(numbers(1)))
    entry.beginIfDue(end: 6, time(3600.5), &effects)
    #expect(effects.isEmpty && entry.delivery == nil)
    entry.beginIfDue(end: 6, time(3601), &effects)
    #expect(effects.calls.map(\.observer.number) == numbers(1))
    #expect(effects.examinations.map(\.observer.number) == numbers(0))
    #expect(effects.examinations.map(\.after) == [3])
  }

  @Test func `After the period an observer is called when it joins, and the others are not`() {
    var entry = idleEntry(2, makeHourly)
    var effects = DeliveryEntry.Effects()
    let call = entry.join(late, end: 3, isBehind: true, time(3590), &effects)
    #expect(call != nil && call == entry.delivery?.number)
    // The others have examined everything up to the delivery's end.
    #expect(effects.isEmpty && entry.delivery?.unexamined.isEmpty == true)
    #expect(entry.delivery?.outstanding == [late.number])
  }

  @Test func `A stopped registration calls no observer and acknowledges nothing`() {
    var entry = idleEntry(0) { $0.isStopped = true }
    var effects = DeliveryEntry.Effects()
    let call = entry.join(observers[0], end: 3, isBehind: true, time(1), &effects)
    #expect(call == nil && entry.nextEvent == .infinity && pending(entry) == Set(numbers(0)))
    entry.beginIfDue(end: 5, time(9000), &effects)
    #expect(effects.isEmpty && entry.delivery == nil)
    entry = idleEntry(1) { $0.isStopped = true }
    let none = entry.report(observers[0], isMatch: false, through: 9, time(1), &effects)
    #expect(none == nil && entry.registration.sequence == 2 && entry.dirt == .nothing)
    let match = entry.report(observers[0], isMatch: true, through: 10, time(1), &effects)
    #expect(match == nil && entry.delivery == nil && pending(entry) == Set(numbers(0)))
  }

  @Test func `Changes that match no observer are acknowledged once all have examined them`() {
    var entry = idleEntry()
    var effects = DeliveryEntry.Effects()
    func report(_ index: Int, through end: UInt64) -> UInt64 {
      _ = entry.report(observers[index], isMatch: false, through: end, time(1), &effects)
      return entry.registration.sequence
    }
    var sequence = report(0, through: 9)
    #expect(sequence == 3 && entry.dirt == .position)
    entry.dirt = .nothing
    sequence = report(1, through: 9)
    #expect(sequence == 3 && entry.dirt == .nothing, "nothing more is acknowledged")
    sequence = report(2, through: 8)
    #expect(sequence == 8 && entry.dirt == .position)
    sequence = report(2, through: 4)
    #expect(sequence == 8 && entry.members[observers[2].number]?.examined == 8)
    #expect(effects.isEmpty && entry.delivery == nil)
  }

  @Test func `A pending change prevents the acknowledgement of those that match no observer`() {
    var entry = idleEntry(2, makeHourly)
    var effects = DeliveryEntry.Effects()
    let call = entry.report(observers[0], isMatch: true, through: 5, time(1), &effects)
    #expect(call == nil && entry.nextEvent == 3590)
    for end in 6...7 as ClosedRange<UInt64> {
      for observer in observers.prefix(2) {
        _ = entry.report(observer, isMatch: false, through: end, time(2), &effects)
      }
    }
    #expect(entry.registration.sequence == 2 && pending(entry) == Set(numbers(0)))
  }

  @Test func `A change that was already examined causes no call`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    let again = entry.report(observers[0], isMatch: true, through: 5, time(11), &effects)
    #expect(again == nil && pending(entry).isEmpty)
    let other = entry.report(observers[0], isMatch: false, through: 6, time(12), &effects)
    #expect(other == nil && pending(entry).isEmpty)
    let later = entry.report(observers[0], isMatch: true, through: 7, time(12), &effects)
    #expect(later == nil && pending(entry) == Set(numbers(0)), "it waits for the next delivery")
    entry.complete(observers[0].number, delivery: number)
    for observer in observers[1...] {
      _ = entry.report(observer, isMatch: false, through: 7, time(13), &effects)
    }
    #expect(entry.delivery == nil && entry.registration.sequence == 5)
    entry.beginIfDue(end: 7, time(14), &effects)
    #expect(effects.calls.map(\.observer.number) == numbers(0) && effects.examinations.isEmpty)
    entry = idleEntry()
    let old = entry.report(observers[1], isMatch: true, through: 3, time(1), &effects)
    #expect(old == nil && entry.delivery == nil && pending(entry).isEmpty)
  }

  @Test func `A change examined before a delivery's end is delivered before it is acknowledged`() {
    var (entry, number) = entry()
    var effects = DeliveryEntry.Effects()
    // The observer read its feed before the commit with which the delivery ends, and then the rest.
    let call = entry.report(observers[1], isMatch: true, through: 4, time(11), &effects)
    _ = entry.report(observers[1], isMatch: false, through: 5, time(12), &effects)
    _ = entry.report(observers[2], isMatch: false, through: 5, time(12), &effects)
    entry.complete(observers[0].number, delivery: number)
    #expect(entry.registration.sequence == 2, "the change of the second observer is unhandled")
    #expect(call == number && entry.delivery?.outstanding == Set(numbers(1)))
    entry.complete(observers[1].number, delivery: number)
    #expect(entry.delivery == nil && entry.registration.sequence == 5)
  }

  @Test func `An observer that an entry does not know is added by its report`() {
    var entry = idleEntry(0)
    var effects = DeliveryEntry.Effects()
    let call = entry.report(late, isMatch: true, through: 1, time(1), &effects)
    #expect(call != nil && entry.delivery?.outstanding == [late.number])
    #expect(entry.delivery?.end == 1 && entry.members[late.number]?.examined == 1)
  }

  @Test func `A frequency set after a failure does not shorten its delay`() {
    var (entry, _) = entry()
    _ = entry.failIfLate(time(40))
    entry.setFrequency(UInt8(HKUpdateFrequency.hourly.rawValue), time(41))
    #expect(entry.notBefore == 100)
    var other = idleEntry(1, makeHourly)
    other.setFrequency(UInt8(HKUpdateFrequency.hourly.rawValue), time(500))
    #expect(other.notBefore == 3590)
    other.setFrequency(UInt8(HKUpdateFrequency.daily.rawValue), time(500))
    #expect(other.registration.frequency == UInt8(HKUpdateFrequency.daily.rawValue))
    #expect(other.notBefore == 86_390)
    // The clock was set back by a week.
    other.setFrequency(
      UInt8(HKUpdateFrequency.hourly.rawValue), DeliveryTime(uptime: 600, date: 1600 - 604_800))
    #expect(other.notBefore == 4200)
    // An equal frequency changes nothing, even if time has passed.
    other.setFrequency(UInt8(HKUpdateFrequency.hourly.rawValue), time(700))
    #expect(other.notBefore == 4200)
    // A frequency of a later version has no period.
    let unknown = idleEntry(0) {
      $0.frequency = 99
      $0.lastDelivery = 1000
    }
    #expect(unknown.notBefore == 0)
  }

  @Test func `Only a delivery after failures must be logged at once`() {
    var (entry, number) = entry()
    #expect(entry.dirt == .nothing, "without a period the time of a delivery is not needed")
    var effects = DeliveryEntry.Effects()
    for observer in observers[1...] {
      _ = entry.report(observer, isMatch: false, through: 5, time(12), &effects)
    }
    entry.complete(observers[0].number, delivery: number + 1)
    #expect(entry.delivery != nil, "the acknowledgement is of another delivery")
    entry.complete(observers[0].number, delivery: number)
    #expect(entry.dirt == .acknowledgement && entry.registration.sequence == 5)
    _ = entry.report(observers[0], isMatch: true, through: 6, time(13), &effects)
    _ = entry.failIfLate(time(50))
    entry.dirt = .nothing
    entry.beginIfDue(end: 6, time(200), &effects)
    for observer in observers {
      entry.complete(observer.number, delivery: entry.delivery?.number ?? 0)
    }
    #expect(entry.delivery == nil && entry.dirt == .urgent && entry.registration.failureCount == 0)
  }

  @Test func `The last observer that leaves a delivery ends it`() {
    var (entry, _) = entry()
    var effects = DeliveryEntry.Effects()
    for observer in observers[1...] {
      _ = entry.report(observer, isMatch: false, through: 5, time(12), &effects)
    }
    #expect(entry.delivery != nil)
    entry.leave(observers[0].number)
    #expect(entry.delivery == nil && entry.registration.sequence == 2)
  }

  @Test func `A delivery begins only with a pending change, and covers all up to its end`() {
    var entry = idleEntry(2, makeHourly)
    var effects = DeliveryEntry.Effects()
    entry.beginIfDue(end: 5, time(3590), &effects)
    #expect(entry.delivery == nil && effects.isEmpty)
    _ = entry.report(observers[0], isMatch: true, through: 5, time(1), &effects)
    entry.beginIfDue(end: 9, time(3590), &effects)
    #expect(entry.delivery?.end == 9 && entry.members[observers[0].number]?.examined == 9)
    #expect(effects.calls.map(\.observer.number) == numbers(0))
    #expect(effects.examinations.map(\.observer.number) == numbers(1))
    var (calls, examinations) = (effects, effects)
    calls.examinations = []
    examinations.calls = []
    #expect(!effects.isEmpty && !calls.isEmpty && !examinations.isEmpty)
  }
}
