import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Random histories of one entry with several observers, whose feeds, examinations and calls take
/// their steps in any order.
@Suite struct DeliveryEntryHistoryTests {
  /// An observer and its view of the log.
  private struct Member {
    let observer: DeliveryObserver
    /// The sequence numbers of the changes that it matches.
    var matches: [UInt64] = []
    /// The sequence number through which its feed was read.
    var position: UInt64
    /// The part of its feed that was read and not yet reported.
    var unreported: Range<UInt64>?
    /// The sequence number through which its changes need no call.
    var handled: UInt64
  }

  /// A call that was not acknowledged.
  private struct Call {
    var number: Int
    var delivery: Int
    /// The sequence number through which the called observer sees changes.
    var end: UInt64
  }

  private struct History {
    private let make: () -> DeliveryObserver
    private var random: Seeded
    private var entry: DeliveryEntry
    private var members: [Int: Member] = [:]
    private var calls: [Call] = []
    private var examinations: [(number: Int, after: UInt64)] = []
    private var end: UInt64 = 0
    private var uptime = 0.0

    init(seed: UInt64, _ make: @escaping () -> DeliveryObserver) {
      self.make = make
      random = Seeded(mixing: seed, 91)
      let frequency: HKUpdateFrequency = random.oneIn(3) ? .hourly : .immediate
      entry = DeliveryEntry(
        DeliveryRegistration(frequency: UInt8(frequency.rawValue), sequence: 0),
        now: DeliveryTime(uptime: 0, date: 1000), timeout: 30)
    }

    private var now: DeliveryTime { DeliveryTime(uptime: uptime, date: 1000 + uptime) }

    private mutating func anyNumber() -> Int? {
      members.isEmpty ? nil : members.keys.sorted()[random.below(members.count)]
    }

    private func isMatch(_ number: Int, after begin: UInt64, through end: UInt64) -> Bool {
      members[number]?.matches.contains { $0 > begin && $0 <= end } ?? false
    }

    /// Changes the entry as the scheduler does.
    private mutating func change(
      _ body: (inout DeliveryEntry, DeliveryTime, inout DeliveryEntry.Effects) -> (Int, Int?)
    ) {
      var effects = DeliveryEntry.Effects()
      let (number, delivery) = body(&entry, now, &effects)
      if entry.nextEvent <= uptime { entry.beginIfDue(end: end, now, &effects) }
      if let delivery { calls.append(Call(number: number, delivery: delivery, end: end)) }
      for call in effects.calls {
        calls.append(Call(number: call.observer.number, delivery: call.delivery, end: end))
      }
      examinations += effects.examinations.map { ($0.observer.number, $0.after) }
    }

    private mutating func join() {
      let observer = make()
      let sequence = entry.registration.sequence
      var member = Member(observer: observer, position: end, handled: sequence)
      // A new observer of an old predicate may have unacknowledged changes.
      member.matches = (sequence..<end).map { $0 + 1 }.filter { _ in random.oneIn(4) }
      members[observer.number] = member
      let (end, isBehind) = (end, !member.matches.isEmpty)
      change { entry, now, effects in
        let delivery = entry.join(observer, end: end, isBehind: isBehind, now, &effects)
        return (observer.number, delivery)
      }
    }

    private mutating func report(_ number: Int) {
      guard let member = members[number], let part = member.unreported else { return }
      members[number]?.unreported = nil
      var isFound = isMatch(number, after: part.lowerBound, through: part.upperBound)
      if isFound, let examined = entry.members[number]?.examined, examined > part.lowerBound {
        isFound = isMatch(number, after: examined, through: end)
      }
      change { entry, now, effects in
        let delivery = entry.report(
          member.observer, isMatch: isFound, through: part.upperBound, now, &effects)
        return (number, delivery)
      }
    }

    private mutating func examine() {
      if examinations.isEmpty { return }
      let (number, after) = examinations.remove(at: random.below(examinations.count))
      guard let member = members[number] else { return }
      let (end, isFound) = (end, isMatch(number, after: after, through: end))
      change { entry, now, effects in
        let delivery = entry.report(member.observer, isMatch: isFound, through: end, now, &effects)
        return (number, delivery)
      }
    }

    private mutating func complete() {
      if calls.isEmpty { return }
      let call = calls.remove(at: random.below(calls.count))
      if let handled = members[call.number]?.handled {
        members[call.number]?.handled = max(handled, call.end)
      }
      change { entry, _, _ in
        entry.complete(call.number, delivery: call.delivery)
        return (0, nil)
      }
    }

    private mutating func read(_ number: Int) {
      guard let member = members[number], member.unreported == nil, member.position < end else {
        return
      }
      members[number]?.unreported = member.position..<end
      members[number]?.position = end
    }

    private mutating func advance(by seconds: Double) {
      uptime += seconds
      change { entry, now, _ in
        _ = entry.failIfLate(now)
        return (0, nil)
      }
    }

    mutating func step() {
      switch random.below(24) {
      case 0..<4:
        end += 1
        for number in members.keys.sorted() where random.oneIn(2) {
          members[number]?.matches.append(end)
        }
      case 4..<10: if let number = anyNumber() { read(number) }
      case 10..<16: if let number = anyNumber() { report(number) }
      case 16: examine()
      case 17..<21: complete()
      case 21: advance(by: [1, 29, 30, 120, 3600][random.below(5)])
      case 22: if members.count < 4 { join() }
      default:
        guard random.oneIn(6), let number = anyNumber() else { return }
        members[number] = nil
        change { entry, _, _ in
          entry.leave(number)
          return (0, nil)
        }
      }
    }

    /// The matching changes that were acknowledged although their observer has not handled them.
    var lost: [UInt64] {
      let sequence = entry.registration.sequence
      return members.values.flatMap { member in
        member.matches.filter { $0 <= sequence && $0 > member.handled }
      }
    }

    /// Adds a change for every observer and performs all pending work; afterwards every change must
    /// be acknowledged.
    mutating func settle() -> Bool {
      end += 1
      for number in members.keys { members[number]?.matches.append(end) }
      change { entry, _, _ in
        entry.reset()
        return (0, nil)
      }
      for _ in 0..<8 {
        for number in members.keys.sorted() {
          report(number)
          read(number)
          report(number)
        }
        while !examinations.isEmpty { examine() }
        while !calls.isEmpty { complete() }
        advance(by: 3600)
      }
      let isIdle = entry.delivery == nil && entry.nextEvent == .infinity
      return isIdle && (members.isEmpty || entry.registration.sequence == end)
    }
  }

  @Test(arguments: 0..<UInt64(Trials.count(300, quick: 60)))
  func `No change is acknowledged before each of its observers has handled it`(seed: UInt64) throws
  {
    let test = try DeliveryStore()
    let clock = test.clock.clock
    let scheduler = try #require(DeliveryScheduler.of(test.database, clock: clock))
    let reader = StoreReader(OpenStore(test.database, clock: clock), subject: "ada", policy: nil)
    let plan = QueryPlan(
      types: [], selection: SeriesSelection([:] as [SeriesKey: RowFilter]),
      names: SymbolLease(test.database.symbols))
    var history = History(seed: seed) { DeliveryObserver(scheduler, plan, reader) { _, _ in } }
    for _ in 0..<300 {
      history.step()
      #expect(history.lost.isEmpty)
    }
    let isSettled = history.settle()
    #expect(isSettled && history.lost.isEmpty)
  }
}
