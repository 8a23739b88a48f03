/// The deletions that are retained beyond their retention period.
///
/// A durable subscription needs all deletions after its acknowledged position. An active
/// registration that has changes to deliver also needs the deletions after its position, but only
/// the recent ones: the store does not retain deletions indefinitely for a program that does not
/// fetch them (`registrationRetention`, by default 30 days). A registration with nothing to deliver
/// counts as positioned at the end. Otherwise one subject without new data would retain the
/// deletions of all subjects.
struct DeletionNeeds {
  /// The lowest position of a durable subscription.
  private var subscriptions: UInt64
  /// The lowest position of a registration that needs deletions.
  private var registrations: UInt64
  /// The time, in seconds since 2001-01-01 00:00 UTC, before which registrations need no deletions.
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
        // A registration written by a later version may need any deletion.
        registrations = 0
        continue
      }
      if registration.isStopped || registration.sequence >= registrations { continue }
      if snapshot.hasChanges(in: key, after: registration.sequence) {
        registrations = registration.sequence
      }
    }
  }

  /// Adds the needs of another set of subscribers.
  mutating func formUnion(_ others: DeletionNeeds) {
    subscriptions = min(subscriptions, others.subscriptions)
    registrations = min(registrations, others.registrations)
  }

  /// Returns whether a durable subscription needs a deletion.
  func isOfSubscription(_ sequence: UInt64) -> Bool { sequence > subscriptions }

  /// Returns whether any subscriber needs a deletion with the given sequence number and time.
  func contains(_ sequence: UInt64, _ time: Double) -> Bool {
    isOfSubscription(sequence) || sequence > registrations && !(time < oldest)
  }
}
