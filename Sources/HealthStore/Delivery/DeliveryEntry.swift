import SampleLog

/// The state of delivering one series' changes to the observers in this process.
///
/// A `Delivery` covers the changes up to its end, and calls each observer that
/// has a matching one once. It is acknowledged when no observer has an unread change up to the end
/// and every called observer has called its completion handler. Changes after the end wait for the
/// next delivery. Times are those of the store's clock.
struct DeliveryEntry {
  /// The state of one observer of the series.
  struct Member {
    let observer: DeliveryObserver
    /// The sequence number through which changes have been examined.
    var examined: UInt64
    /// Whether there is a matching change for which the observer was not called.
    var isPending = false
  }

  struct Delivery {
    let number: Int
    /// The sequence number to acknowledge when the delivery is complete.
    let end: UInt64
    /// The observers that have not called their completion handler.
    var outstanding: Set<Int> = []
    /// The observers whose changes up to the end have not been examined yet.
    var unexamined: Set<Int> = []
    /// The time at which the delivery fails.
    var deadline = Double.infinity
    /// Whether any observer was called.
    var isDelivery = false
    /// Whether an observer left without handling its changes, so that the delivery is not
    /// acknowledged.
    var isIncomplete = false
  }

  /// The kind of unwritten state of the registration, by increasing urgency.
  enum Dirt: Comparable {
    case nothing
    /// The position advanced over changes that match no observer.
    case position
    case acknowledgement
    /// State that must not be lost: a delivery time or a failure.
    case urgent
  }

  /// The work to do after releasing the lock.
  struct Effects {
    var calls: [(observer: DeliveryObserver, delivery: Int)] = []
    var examinations: [(observer: DeliveryObserver, after: UInt64)] = []

    var isEmpty: Bool { calls.isEmpty && examinations.isEmpty }
  }

  /// The number of consecutive failures after which delivery stops.
  static let failureLimit = 3

  var registration: DeliveryRegistration
  var members: [Int: Member] = [:]
  private(set) var delivery: Delivery?
  private var deliveryCount = 0
  /// The earliest time for the next delivery, due to the frequency or to a failure.
  private(set) var notBefore: Double
  var dirt = Dirt.nothing
  /// The time of the entry's earliest timer in the timer queue.
  var wakeTime = Double.infinity
  private let timeout: Double

  init(_ registration: DeliveryRegistration, now: DeliveryTime, timeout: Double) {
    self.registration = registration
    self.timeout = timeout
    notBefore = -.infinity
    restartPeriod(now)
  }

  /// The minimum time between two deliveries, in seconds.
  private var period: Double {
    HKUpdateFrequency(rawValue: Int(registration.frequency))?.period ?? 0
  }

  /// Changes the frequency.
  ///
  /// The new period counts from the last delivery.
  mutating func setFrequency(_ frequency: UInt8, _ now: DeliveryTime) {
    guard registration.frequency != frequency else { return }
    registration.frequency = frequency
    if registration.failureCount == 0 { restartPeriod(now) }
  }

  /// Computes the end of the current period.
  ///
  /// If the clock was set back, the wait is at most one period.
  private mutating func restartPeriod(_ now: DeliveryTime) {
    guard let last = registration.lastDelivery else { return notBefore = -.infinity }
    notBefore = now.uptime + min(period, last + period - now.date)
  }

  private func mayBegin(_ now: DeliveryTime) -> Bool {
    delivery == nil && !registration.isStopped && now.uptime >= notBefore
  }

  /// The time of the next timeout or delivery, or infinity if none is scheduled.
  var nextEvent: Double {
    if let delivery { return delivery.outstanding.isEmpty ? .infinity : delivery.deadline }
    if registration.isStopped { return .infinity }
    return members.values.contains(where: \.isPending) ? notBefore : .infinity
  }

  // MARK: Observers

  /// Adds an observer that is about to get its initial call and reports changes after `end`.
  ///
  /// Returns the delivery that the call belongs to, or nil if it need not be acknowledged.
  ///
  /// `isBehind` is true if the observer has a matching change that was not acknowledged.
  mutating func join(
    _ observer: DeliveryObserver, end: UInt64, isBehind: Bool, _ now: DeliveryTime,
    _ effects: inout Effects
  ) -> Int? {
    let isAlone = members.isEmpty
    members[observer.number] = Member(observer: observer, examined: end)
    guard isBehind else { return nil }
    if delivery != nil {
      expect(observer.number, now)
    } else if !registration.isStopped, isAlone || mayBegin(now) {
      begin(end: end, calling: observer.number, now, &effects)
    } else {
      members[observer.number]?.isPending = true
      return nil
    }
    return delivery?.number
  }

  /// Processes the result of examining an observer's changes.
  ///
  /// Returns the delivery in which to call the observer now, or nil.
  mutating func report(
    _ observer: DeliveryObserver, isMatch: Bool, through end: UInt64, _ now: DeliveryTime,
    _ effects: inout Effects
  ) -> Int? {
    let number = observer.number
    // An observer that was executed before its type was registered is added here.
    let known = members[number] ?? Member(observer: observer, examined: 0)
    members[number] = known
    guard end > known.examined || delivery?.unexamined.contains(number) == true else { return nil }
    members[number]?.examined = max(end, known.examined)
    if let current = delivery {
      // A match before the delivery's end belongs to it. If it waited for the next one, a later
      // report without a match would let this one acknowledge it.
      if current.unexamined.contains(number), isMatch || end >= current.end {
        delivery?.unexamined.remove(number)
        if isMatch {
          expect(number, now)
          return current.number
        }
        finishIfDone()
      } else if isMatch {
        members[number]?.isPending = true
      }
      return nil
    }
    if isMatch, mayBegin(now) {
      begin(end: end, calling: number, now, &effects)
      return delivery?.number
    }
    if isMatch { members[number]?.isPending = true }
    skipUnmatched()
    return nil
  }

  /// Removes an observer.
  ///
  /// Changes that it has not acknowledged stay unacknowledged.
  mutating func leave(_ number: Int) {
    members[number] = nil
    guard let current = delivery else { return }
    if current.outstanding.contains(number) || current.unexamined.contains(number) {
      delivery?.isIncomplete = true
      delivery?.outstanding.remove(number)
      delivery?.unexamined.remove(number)
    }
    finishIfDone()
  }

  // MARK: Deliveries

  /// Begins a delivery if one may begin and an observer has a change.
  ///
  /// Changes up to `end` are visible.
  mutating func beginIfDue(end: UInt64, _ now: DeliveryTime, _ effects: inout Effects) {
    guard mayBegin(now), members.values.contains(where: \.isPending) else { return }
    begin(end: end, calling: nil, now, &effects)
  }

  private mutating func begin(
    end: UInt64, calling caller: Int?, _ now: DeliveryTime, _ effects: inout Effects
  ) {
    deliveryCount += 1
    delivery = Delivery(number: deliveryCount, end: end)
    if let caller { expect(caller, now) }
    for (number, member) in members.sorted(by: { $0.key < $1.key }) where number != caller {
      if member.isPending {
        expect(number, now)
        effects.calls.append((member.observer, deliveryCount))
      } else if member.examined < end {
        delivery?.unexamined.insert(number)
        effects.examinations.append((member.observer, member.examined))
      }
    }
  }

  /// Records that an observer is called in the delivery.
  private mutating func expect(_ number: Int, _ now: DeliveryTime) {
    guard let end = delivery?.end, var member = members[number] else { return }
    member.isPending = false
    // An observer that is called after this sees all changes up to the delivery's end.
    member.examined = max(member.examined, end)
    members[number] = member
    delivery?.outstanding.insert(number)
    delivery?.deadline = now.uptime + timeout
    if delivery?.isDelivery == true { return }
    delivery?.isDelivery = true
    registration.lastDelivery = now.date
    notBefore = now.uptime + period
    // Without a minimum period, a delivery after a crash may follow at once, so its time is not
    // needed.
    if period > 0 { dirt = .urgent }
  }

  /// Records that an observer has called its completion handler.
  mutating func complete(_ number: Int, delivery: Int) {
    guard self.delivery?.number == delivery else { return }
    self.delivery?.outstanding.remove(number)
    finishIfDone()
  }

  private mutating func finishIfDone() {
    guard let current = delivery, current.outstanding.isEmpty, current.unexamined.isEmpty else {
      return
    }
    delivery = nil
    if current.isIncomplete { return }
    registration.sequence = max(registration.sequence, current.end)
    dirt = max(dirt, current.isDelivery ? .acknowledgement : .position)
    if current.isDelivery, registration.failureCount > 0 {
      registration.failureCount = 0
      dirt = .urgent
    }
  }

  /// Acknowledges changes that match no observer.
  private mutating func skipUnmatched() {
    guard delivery == nil, !registration.isStopped,
      !members.values.contains(where: \.isPending),
      let examined = members.values.map(\.examined).min(), examined > registration.sequence
    else { return }
    registration.sequence = examined
    dirt = max(dirt, .position)
  }

  // MARK: Failures

  /// Fails the delivery if its deadline has passed, and returns whether it did.
  mutating func failIfLate(_ now: DeliveryTime) -> Bool {
    guard let current = delivery, !current.outstanding.isEmpty, current.deadline <= now.uptime
    else {
      return false
    }
    delivery = nil
    for number in current.outstanding.union(current.unexamined) {
      members[number]?.isPending = true
    }
    registration.failureCount += 1
    registration.isStopped = registration.failureCount >= Self.failureLimit
    notBefore = now.uptime + 60 * Double(1 << (registration.failureCount - 1))
    dirt = .urgent
    return true
  }

  /// Clears the failures and the delay that they caused.
  mutating func reset() {
    registration.isStopped = false
    registration.failureCount = 0
    notBefore = -.infinity
    dirt = .urgent
  }
}
