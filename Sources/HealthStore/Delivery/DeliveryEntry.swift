import SampleLog

/// The delivery of one series' changes to the observers in this process: what is under way, and
/// what is to come.
///
/// A *round* is one delivery. It has an end, and calls each observer that has a matching change up
/// to there, once. It is acknowledged when nobody has an unread change up to the end any more and
/// every observer that was called has called its completion handler. Changes after the end wait for
/// the next round. Times are the store clock's.
struct DeliveryEntry {
  /// An observer, as the entry sees it.
  struct Member {
    let observer: DeliveryObserver
    /// The sequence number through which changes have been looked at.
    var examined: UInt64
    /// Whether there is a matching change that it was not called for.
    var isPending = false
  }

  struct Round {
    let number: Int
    /// The sequence number that is acknowledged in the end.
    let end: UInt64
    /// Observers that have not called their completion handler.
    var outstanding: Set<Int> = []
    /// Observers of which nobody knows yet whether they have a matching change.
    var unexamined: Set<Int> = []
    /// When the round fails.
    var deadline = Double.infinity
    /// Whether any observer was called.
    var isDelivery = false
    /// Whether an observer went that had not dealt with its changes.
    var isAbandoned = false
  }

  /// What must be written of the registration.
  enum Dirt: Comparable {
    case nothing
    /// That changes which match no observer were passed over.
    case position
    /// An acknowledgement.
    case acknowledgement
    /// What must not be lost: a time, a failure.
    case urgent
  }

  /// What to do once the lock is released.
  struct Effects {
    var calls: [(observer: DeliveryObserver, round: Int)] = []
    var examinations: [(observer: DeliveryObserver, after: UInt64)] = []

    var isEmpty: Bool { calls.isEmpty && examinations.isEmpty }
  }

  /// How many deliveries in a row fail until no more are made.
  static let failureLimit = 3

  var registration: DeliveryRegistration
  var members: [Int: Member] = [:]
  private(set) var round: Round?
  private var roundCount = 0
  /// When the next round may begin, for the sake of the frequency or after a failure.
  private(set) var notBefore: Double
  var dirt = Dirt.nothing
  /// When the entry is on the agenda.
  var wakeTime = Double.infinity
  private let timeout: Double

  init(_ registration: DeliveryRegistration, now: DeliveryTime, timeout: Double) {
    self.registration = registration
    self.timeout = timeout
    notBefore = -.infinity
    restartPeriod(now)
  }

  /// How long a period is, in seconds.
  private var period: Double {
    HKUpdateFrequency(rawValue: Int(registration.frequency))?.period ?? 0
  }

  /// Takes another frequency; the period since the last delivery counts.
  mutating func setFrequency(_ frequency: UInt8, _ now: DeliveryTime) {
    guard registration.frequency != frequency else { return }
    registration.frequency = frequency
    if registration.failureCount == 0 { restartPeriod(now) }
  }

  /// A clock that was set back makes no period longer than it is.
  private mutating func restartPeriod(_ now: DeliveryTime) {
    guard let last = registration.lastDelivery else { return notBefore = -.infinity }
    notBefore = now.uptime + min(period, last + period - now.date)
  }

  private func mayBegin(_ now: DeliveryTime) -> Bool {
    round == nil && !registration.isStopped && now.uptime >= notBefore
  }

  /// When something is to happen by itself.
  var nextEvent: Double {
    if let round { return round.outstanding.isEmpty ? .infinity : round.deadline }
    if registration.isStopped { return .infinity }
    return members.values.contains(where: \.isPending) ? notBefore : .infinity
  }

  // MARK: Observers

  /// Takes an observer that is called in any case and reports changes after `end`; returns the
  /// round that the call belongs to, nil when it need not be acknowledged.
  ///
  /// `isBehind` says whether the observer has a matching change that was not acknowledged.
  mutating func join(
    _ observer: DeliveryObserver, end: UInt64, isBehind: Bool, _ now: DeliveryTime,
    _ effects: inout Effects
  ) -> Int? {
    let isAlone = members.isEmpty
    members[observer.number] = Member(observer: observer, examined: end)
    guard isBehind else { return nil }
    if round != nil {
      expect(observer.number, now)
    } else if !registration.isStopped, isAlone || mayBegin(now) {
      begin(end: end, calling: observer.number, now, &effects)
    } else {
      members[observer.number]?.isPending = true
      return nil
    }
    return round?.number
  }

  /// Takes note of what an observer found; returns the round in which it is to be called now.
  mutating func report(
    _ observer: DeliveryObserver, isMatch: Bool, through end: UInt64, _ now: DeliveryTime,
    _ effects: inout Effects
  ) -> Int? {
    let number = observer.number
    // An observer that was executed before its type was registered is known from here on.
    let known = members[number] ?? Member(observer: observer, examined: 0)
    members[number] = known
    guard end > known.examined || round?.unexamined.contains(number) == true else { return nil }
    members[number]?.examined = max(end, known.examined)
    if let current = round {
      if end >= current.end, current.unexamined.contains(number) {
        round?.unexamined.remove(number)
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
      return round?.number
    }
    if isMatch { members[number]?.isPending = true }
    passOver()
    return nil
  }

  /// Lets an observer go; what it has not acknowledged stays unacknowledged.
  mutating func leave(_ number: Int) {
    members[number] = nil
    guard let current = round else { return }
    if current.outstanding.contains(number) || current.unexamined.contains(number) {
      round?.isAbandoned = true
      round?.outstanding.remove(number)
      round?.unexamined.remove(number)
    }
    finishIfDone()
  }

  // MARK: Rounds

  /// Begins a round if one may begin and an observer has a change; changes up to `end` are visible.
  mutating func beginIfDue(end: UInt64, _ now: DeliveryTime, _ effects: inout Effects) {
    guard mayBegin(now), members.values.contains(where: \.isPending) else { return }
    begin(end: end, calling: nil, now, &effects)
  }

  private mutating func begin(
    end: UInt64, calling caller: Int?, _ now: DeliveryTime, _ effects: inout Effects
  ) {
    roundCount += 1
    round = Round(number: roundCount, end: end)
    if let caller { expect(caller, now) }
    for (number, member) in members.sorted(by: { $0.key < $1.key }) where number != caller {
      if member.isPending {
        expect(number, now)
        effects.calls.append((member.observer, roundCount))
      } else if member.examined < end {
        round?.unexamined.insert(number)
        effects.examinations.append((member.observer, member.examined))
      }
    }
  }

  /// Takes note that an observer is called in the round.
  private mutating func expect(_ number: Int, _ now: DeliveryTime) {
    guard let end = round?.end, var member = members[number] else { return }
    member.isPending = false
    // Whoever is called from now on can read what was there when the round began.
    member.examined = max(member.examined, end)
    members[number] = member
    round?.outstanding.insert(number)
    round?.deadline = now.uptime + timeout
    if round?.isDelivery == true { return }
    round?.isDelivery = true
    registration.lastDelivery = now.date
    notBefore = now.uptime + period
    // One who is called at every change is called again after a crash in any case.
    if period > 0 { dirt = .urgent }
  }

  /// Takes note that an observer has called its completion handler.
  mutating func complete(_ number: Int, round: Int) {
    guard self.round?.number == round else { return }
    self.round?.outstanding.remove(number)
    finishIfDone()
  }

  private mutating func finishIfDone() {
    guard let current = round, current.outstanding.isEmpty, current.unexamined.isEmpty else {
      return
    }
    round = nil
    if current.isAbandoned { return }
    registration.sequence = max(registration.sequence, current.end)
    dirt = max(dirt, current.isDelivery ? .acknowledgement : .position)
    if current.isDelivery, registration.failureCount > 0 {
      registration.failureCount = 0
      dirt = .urgent
    }
  }

  /// Acknowledges what matches nobody.
  private mutating func passOver() {
    guard round == nil, !registration.isStopped,
      !members.values.contains(where: \.isPending),
      let examined = members.values.map(\.examined).min(), examined > registration.sequence
    else { return }
    registration.sequence = examined
    dirt = max(dirt, .position)
  }

  // MARK: Failures

  /// Fails the round if it has taken too long, and returns whether it did.
  mutating func failIfLate(_ now: DeliveryTime) -> Bool {
    guard let current = round, !current.outstanding.isEmpty, current.deadline <= now.uptime else {
      return false
    }
    round = nil
    for number in current.outstanding.union(current.unexamined) {
      members[number]?.isPending = true
    }
    registration.failureCount += 1
    registration.isStopped = registration.failureCount >= Self.failureLimit
    notBefore = now.uptime + 60 * Double(1 << (registration.failureCount - 1))
    dirt = .urgent
    return true
  }

  /// Clears the failures and ends the wait that they caused.
  mutating func reset() {
    registration.isStopped = false
    registration.failureCount = 0
    notBefore = -.infinity
    dirt = .urgent
  }
}
