import SampleLog

extension HKHealthStore {
  /// Has changes of a type delivered to observer queries until they acknowledge them.
  ///
  /// The store remembers this object's person and the type, from now on and across restarts. An
  /// `HKObserverQuery` of the type, executed before or afterwards, is then called at most once in
  /// the time that `frequency` names, and has to call its completion handler within 60 seconds
  /// (`Options.deliveryTimeout`). If one does not, it is called again 1 minute later and, the
  /// second time, 2 minutes later; after three failures in a row no more calls are made, which
  /// ``backgroundDelivery(for:)`` tells, until ``resetBackgroundDelivery(for:)`` is called. What
  /// was not acknowledged when the process ended is delivered when an observer is executed in the
  /// next one, and that is no failure.
  ///
  /// Unlike on an iPhone nothing starts a program: changes wait until it executes an observer.
  /// Enabling what is enabled changes the frequency only. A type has no minimum period.
  ///
  /// - Parameters:
  ///   - type: The type; reports `errorInvalidArgument` for a correlation type, as HealthKit does,
  ///     and for one that has no samples.
  ///   - frequency: How often at most; the call that every observer gets when it is executed is
  ///     made all the same.
  ///   - completion: Gets the success, or an error such as `errorDatabaseInaccessible`; with a
  ///     policy, `errorAuthorizationNotDetermined` for a type that nobody was asked about reading.
  @preconcurrency
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try Self.checkDeliverable(type)
      // A denied type looks like one without samples of others.
      _ = try policy?.mayRead(type)
      try store.deliveries().register(store.key(type, subject), frequency)
    }
  }

  /// Has changes of a type delivered to observer queries until they acknowledge them, or throws
  /// what the form with a handler reports.
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {
    try await attempt {
      self.enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
    }
  }

  /// Ends the background delivery of a type, and forgets what was not acknowledged.
  ///
  /// Observer queries that run are called at every change from then on, as without it. Nothing
  /// happens when it was not enabled.
  @preconcurrency
  public func disableBackgroundDelivery(
    for type: HKObjectType,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, _ in
      try store.reading(subject) {
        try store.deliveries().unregister($0.key(type.identifier))
      }
    }
  }

  /// Ends the background delivery of a type, or throws what the form with a handler reports.
  public func disableBackgroundDelivery(for type: HKObjectType) async throws {
    try await attempt { self.disableBackgroundDelivery(for: type, withCompletion: $0) }
  }

  /// Ends the background delivery of all types to this object's person.
  @preconcurrency
  public func disableAllBackgroundDelivery(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, _ in
      try store.reading(subject) { try store.deliveries().unregisterAll(of: $0.subject) }
    }
  }

  /// Ends the background delivery of all types to this object's person, or throws what the form
  /// with a handler reports.
  public func disableAllBackgroundDelivery() async throws {
    try await attempt { self.disableAllBackgroundDelivery(completion: $0) }
  }

  /// Returns what became of the background delivery of a type; `nil` when it is not enabled.
  ///
  /// Our addition.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read, or is
  ///   open for reading only: what was delivered its writer knows.
  public func backgroundDelivery(
    for type: HKObjectType
  ) async throws -> BackgroundDelivery? {
    try await value { store, subject in
      let center = try store.deliveries()
      return try store.reading(subject) { reader in
        try center.current(reader.key(type.identifier), store.database)
          .map { BackgroundDelivery(type, $0) }
      }
    }
  }

  /// Returns what became of the background delivery of each type that it is enabled for, in the
  /// order of their identifiers.
  ///
  /// Our addition.
  ///
  /// - Throws: What ``backgroundDelivery(for:)`` throws.
  /// - Complexity: Linear in the number of everybody's enabled types.
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

  /// Has the background delivery of a type go on after failures, with what was not acknowledged.
  ///
  /// Our addition: Apple's store has no way but disabling and enabling, which forgets that.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when background delivery of the type is not
  ///   enabled, and with `errorDatabaseInaccessible` when the store cannot be written to.
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
  /// What delivers changes to this process.
  ///
  /// - Throws: ``StoreError/readOnly`` for a store that only reads,
  ///   ``StoreError/replica(path:primary:)``, ``StoreError/closed``.
  func deliveries() throws -> DeliveryCenter {
    if isClosed { throw StoreError.closed }
    if let center = DeliveryCenter.of(database, clock: clock) { return center }
    try checkWritable()
    throw StoreError.readOnly
  }

  fileprivate func key(_ type: HKObjectType, _ subject: String) -> SeriesKey {
    SeriesKey(
      subject: database.symbols.intern(subject),
      type: database.symbols.intern(type.identifier))
  }
}
