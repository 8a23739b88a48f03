/// Which deletions are kept beyond their retention, and for whom.
///
/// A durable subscription needs all after what it acknowledged. An active registration with changes
/// of its series to deliver needs those after its sequence number as well, but only the younger
/// ones: what a program does not fetch for a month is not kept for it. One that has nothing to
/// deliver counts as being at the end, or a person of whom nothing comes any more would keep
/// everybody's deletions.
struct DeletionNeeds {
  /// The lowest sequence number of a durable subscription.
  private var subscriptions: UInt64
  /// The lowest sequence number of a registration that needs deletions.
  private var registrations: UInt64
  /// Registrations need none that is older.
  private let oldest: Double

  init(_ settings: [Setting], _ snapshot: Snapshot, _ options: Database.Options) {
    subscriptions = Database.lowestAcknowledgement(in: settings)
    registrations = .max
    oldest = options.clock() - options.registrationRetention.seconds
    for setting in settings where SubjectSetting.delivery.isKind(of: setting.key) {
      if setting.value.isEmpty { continue }
      guard let registration = DeliveryRegistration(setting.value),
        let key = SubjectSetting.delivery.series(ofKey: setting.key, snapshot.symbols)
      else {
        // What a later version has written may need any.
        registrations = 0
        continue
      }
      if registration.isStopped || registration.sequence >= registrations { continue }
      if snapshot.hasChanges(in: key, after: registration.sequence) {
        registrations = registration.sequence
      }
    }
  }

  /// Adds what others need.
  mutating func formUnion(_ others: DeletionNeeds) {
    subscriptions = min(subscriptions, others.subscriptions)
    registrations = min(registrations, others.registrations)
  }

  /// Whether a durable subscription needs a deletion.
  func isOfSubscription(_ sequence: UInt64) -> Bool { sequence > subscriptions }

  /// Whether a deletion with a sequence number, made at a time, is needed.
  func contains(_ sequence: UInt64, _ time: Double) -> Bool {
    isOfSubscription(sequence) || sequence > registrations && !(time < oldest)
  }
}
