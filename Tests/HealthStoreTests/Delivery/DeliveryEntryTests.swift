import SampleLog
import Testing

@testable import HealthStore

/// The deliveries of one series, step by step.
@Suite struct DeliveryEntryTests {
  private let test: DeliveryStore
  private let scheduler: DeliveryScheduler
  private let observers: [DeliveryObserver]

  init() throws {
    let test = try DeliveryStore()
    let scheduler = try #require(DeliveryScheduler.of(test.database, clock: test.clock.clock))
    let reader = StoreReader(
      OpenStore(test.database, clock: test.clock.clock), subject: "ada", policy: nil)
    let plan = QueryPlan(
      types: [], selection: SeriesSelection([:] as [SeriesKey: RowFilter]),
      names: SymbolLease(test.database.symbols))
    observers = (0..<3).map { _ in DeliveryObserver(scheduler, plan, reader) { _, _ in } }
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
    entry.reset()
    #expect(entry.registration.failureCount == 0 && !entry.registration.isStopped)
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
}
