import SampleLog

// Background delivery of changes to observer queries.
extension HKHealthStore {
  /// Enables delivery of a type's changes to observer queries until they acknowledge them.
  ///
  /// The registration of this object's subject and the type is persisted and survives restarts. An
  /// `HKObserverQuery` of the type, whether executed before or after this call, is called at most
  /// once per period of `frequency`, and must call its completion handler within 60 seconds
  /// (`Options.deliveryTimeout`). If it does not, it is called again 1 minute later, and after a
  /// second failure 2 minutes later. After three consecutive failures delivery stops, which
  /// ``backgroundDelivery(for:)`` reports, until ``resetBackgroundDelivery(for:)`` is called.
  /// Changes that are unacknowledged when the process ends are delivered when the next process
  /// executes an observer; this does not count as a failure.
  ///
  /// Unlike on an iPhone, changes do not launch a program: they wait until it executes an
  /// observer. If delivery is already enabled, only the frequency changes. No type has a minimum
  /// period.
  ///
  /// - Parameters:
  ///   - type: The type. Reports `errorInvalidArgument` for a correlation type, as HealthKit does,
  ///     and for a type without samples.
  ///   - frequency: The maximum frequency. It does not limit the initial call that every observer
  ///     gets when it is executed.
  ///   - completion: Receives success, or an error such as `errorDatabaseInaccessible`. With an
  ///     authorization policy, receives `errorAuthorizationNotDetermined` if reading the type was
  ///     never requested.
  @preconcurrency
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try Self.checkDeliverable(type)
      // To the program, a type with denied access looks like one without samples of other sources.
      _ = try policy?.mayRead(type)
      try store.deliveries().register(store.key(type, subject), frequency)
    }
  }

  /// Enables delivery of a type's changes to observer queries until they acknowledge them, or
  /// throws the error that the completion-handler version reports.
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {
    try await attempt {
      self.enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
    }
  }

  /// Disables background delivery of a type and drops unacknowledged changes.
  ///
  /// Running observer queries are then called for every change, as without background delivery. If
  /// delivery is not enabled, this has no effect.
  @preconcurrency
  public func disableBackgroundDelivery(
    for type: HKObjectType,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, _ in
      try store.reading(subject) {
        try store.deliveries().unregister($0.key(type.identifier))
      }
    }
  }

  /// Disables background delivery of a type, or throws the error that the completion-handler
  /// version reports.
  public func disableBackgroundDelivery(for type: HKObjectType) async throws {
    try await attempt { self.disableBackgroundDelivery(for: type, withCompletion: $0) }
  }

  /// Disables background delivery of all types for this object's subject.
  @preconcurrency
  public func disableAllBackgroundDelivery(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, _ in
      try store.reading(subject) { try store.deliveries().unregisterAll(of: $0.subject) }
    }
  }

  /// Disables background delivery of all types for this object's subject, or throws the error that
  /// the completion-handler version reports.
  public func disableAllBackgroundDelivery() async throws {
    try await attempt { self.disableAllBackgroundDelivery(completion: $0) }
  }

  /// Returns the state of background delivery for a type, or `nil` if it is not enabled.
  ///
  /// This is an addition to HealthKit.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read or is open
  ///   for reading only, because only the writing process maintains this state.
  public func backgroundDelivery(
    for type: HKObjectType
  ) async throws -> BackgroundDelivery? {
    try await value { store, subject in
      let scheduler = try store.deliveries()
      return try store.reading(subject) { reader in
        try scheduler.current(reader.key(type.identifier), store.database)
          .map { BackgroundDelivery(type, $0) }
      }
    }
  }

  /// Returns the state of background delivery for each enabled type, in the order of their
  /// identifiers.
  ///
  /// This is an addition to HealthKit.
  ///
  /// - Throws: The same errors as ``backgroundDelivery(for:)``.
  /// - Complexity: Linear in the number of enabled types of all subjects.
  public func backgroundDeliveries() async throws -> [BackgroundDelivery] {
    try await value { store, subject in
      try store.reading(subject) { reader in
        try store.deliveries().registrations(of: reader.subject)
          .compactMap { key, registration in
            store.reader.type(key.type).map { BackgroundDelivery($0, registration) }
          }
          .sorted { $0.objectType.identifier < $1.objectType.identifier }
      }
    }
  }

  /// Resumes background delivery of a type after failures, starting with the unacknowledged
  /// changes.
  ///
  /// This is an addition: with Apple's store, a program must disable and enable delivery, which
  /// drops unacknowledged changes.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if background delivery of the type is not
  ///   enabled, or with `errorDatabaseInaccessible` if the store cannot be written to.
  public func resetBackgroundDelivery(for type: HKObjectType) async throws {
    try await changing { store, subject in
      let isEnabled = try store.reading(subject) {
        try store.deliveries().reset($0.key(type.identifier))
      }
      guard isEnabled else {
        throw HKError.make(
          .errorInvalidArgument,
          "Background delivery of \(type.identifier) is not enabled; enable it instead.")
      }
    }
  }

  private static func checkDeliverable(_ type: HKObjectType) throws {
    if type is HKCorrelationType {
      throw HKError.make(
        .errorInvalidArgument,
        "Background delivery of \(type.identifier) is not possible, because it is a correlation "
          + "type; enable it for the types of its objects.")
    }
    guard type is HKSampleType else {
      throw HKError.make(
        .errorInvalidArgument,
        "Background delivery of \(type.identifier) is not possible, because it has no samples.")
    }
  }
}

extension OpenStore {
  /// Returns the scheduler that delivers changes to this process.
  ///
  /// - Throws: ``StoreError/readOnly`` for a read-only store,
  ///   ``StoreError/replica(path:primary:)``, ``StoreError/closed``.
  func deliveries() throws -> DeliveryScheduler {
    if isClosed { throw StoreError.closed }
    if let scheduler = DeliveryScheduler.of(database, clock: clock) { return scheduler }
    try checkWritable()
    throw StoreError.readOnly
  }

  fileprivate func key(_ type: HKObjectType, _ subject: String) -> SeriesKey {
    SeriesKey(
      subject: database.symbols.intern(subject),
      type: database.symbols.intern(type.identifier))
  }
}
