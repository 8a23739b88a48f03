/// Stores the registrations for background delivery.
extension Database {
  /// Returns the registration of a series, or nil if it has none.
  ///
  /// - Throws: ``StoreError/unsupportedVersion(file:version:)`` if a later version may have written
  ///   the registration.
  /// - Complexity: O(1), regardless of the number of registrations.
  package func registration(of key: SeriesKey) throws -> DeliveryRegistration? {
    try registration(setting(SubjectSetting.delivery.key(key, symbols)))
  }

  private func registration(_ value: [UInt8]?) throws -> DeliveryRegistration? {
    guard let value else { return nil }
    guard let registration = DeliveryRegistration(value) else {
      throw StoreError.unsupportedVersion(
        file: "A registration of background delivery", version: Int(value.first ?? 0))
    }
    return registration
  }

  /// Returns a subject's registrations, in no particular order.
  ///
  /// - Throws: The errors of ``registration(of:)``.
  /// - Complexity: Linear in the settings of the store.
  package func registrations(
    of subject: Symbol
  ) throws -> [(key: SeriesKey, registration: DeliveryRegistration)] {
    try registeredSeries(of: subject).compactMap { key in
      try registration(of: key).map { (key, $0) }
    }
  }

  /// Returns the registrations of all subjects, in no particular order.
  ///
  /// - Throws: The errors of ``registration(of:)``.
  /// - Complexity: Linear in the settings of the store.
  package func registrations() throws -> [DeliveryRegistration] {
    try state.withLock { $0.settings.all }.compactMap { setting in
      guard !setting.value.isEmpty, SubjectSetting.delivery.isKind(of: setting.key) else {
        return nil
      }
      return try registration(setting.value)
    }
  }

  private func registeredSeries(of subject: Symbol) -> [SeriesKey] {
    let prefix = SubjectSetting.delivery.prefix(symbols.name(subject))
    return state.withLock { $0.settings.all }.compactMap { setting in
      guard !setting.value.isEmpty, setting.key.starts(with: prefix) else { return nil }
      return SubjectSetting.delivery.series(ofKey: setting.key, symbols)
    }
  }

  /// Logs a registration of a series, positioned at the end of the store.
  ///
  /// If the series is already registered, only the frequency changes.
  ///
  /// - Returns: The current registration.
  /// - Throws: The errors of ``commit(_:durability:)`` and ``registration(of:)``.
  @discardableResult
  package func register(
    _ key: SeriesKey, frequency: UInt8
  ) throws -> DeliveryRegistration {
    try registering.withLock { _ in
      var registration =
        try registration(of: key) ?? DeliveryRegistration(frequency: frequency, sequence: end)
      registration.frequency = frequency
      try set([(SubjectSetting.delivery.key(key, symbols), registration.encoded)])
      return registration
    }
  }

  /// Logs the positions of registrations in one commit.
  ///
  /// Registrations that were removed concurrently are skipped, and a sequence number never
  /// decreases.
  ///
  /// - Throws: The errors of ``commit(_:durability:)``; no registration has changed in that case.
  /// - Complexity: Linear in the logged registrations, regardless of the total number.
  package func update(
    _ registrations: [(key: SeriesKey, registration: DeliveryRegistration)],
    durability: Durability? = nil
  ) throws {
    try registering.withLock { _ in
      var batch = Batch()
      for (key, new) in registrations {
        guard let before = try registration(of: key) else { continue }
        var registration = new
        registration.sequence = max(registration.sequence, before.sequence)
        if registration == before { continue }
        batch.set(SubjectSetting.delivery.key(key, symbols), to: registration.encoded)
      }
      if !batch.isEmpty { try commit(batch, durability: durability) }
    }
  }

  /// Removes registrations, so that the store no longer retains deletions for them.
  ///
  /// - Throws: The errors of ``commit(_:durability:)``.
  package func removeRegistrations(of keys: [SeriesKey]) throws {
    try registering.withLock { _ in
      try set(keys.map { (SubjectSetting.delivery.key($0, symbols), []) })
    }
  }

  /// Removes all registrations of a subject, including those that this version cannot read.
  ///
  /// - Returns: The series that were registered.
  /// - Throws: The errors of ``commit(_:durability:)``.
  /// - Complexity: Linear in the settings of the store.
  @discardableResult
  package func removeRegistrations(ofSubject subject: Symbol) throws -> [SeriesKey] {
    try registering.withLock { _ in
      let keys = registeredSeries(of: subject)
      try set(keys.map { (SubjectSetting.delivery.key($0, symbols), []) })
      return keys
    }
  }

  /// Notifies the observers of a series of an event other than a commit.
  ///
  /// Their feeds then read a page without changes.
  package func notifyObservers(of key: SeriesKey) {
    // Zero, so that no feed moves its anchor past changes that it has not read.
    notifier.notify(before: 0, end: 0, touched: [key])
  }

  /// The current time of the clock that the database was opened with, in seconds since 2001-01-01
  /// 00:00 UTC.
  package var currentTime: Double { options.clock() }
}

extension Snapshot {
  /// Returns whether a series has changes after a sequence number: deletions, or samples, including
  /// samples that were deleted later.
  ///
  /// Returns true if a block cannot be read; reading its changes then throws the error.
  ///
  /// - Complexity: Linear in the series' blocks after the number. For blocks that several subjects
  ///   share, the sequence numbers are decoded.
  package func hasChanges(in key: SeriesKey, after sequence: UInt64) -> Bool {
    for memTable in memTables {
      let rows = try? memTable.rows(after: sequence, through: end, in: [key], limit: 1)
      if rows?.isEmpty != true { return true }
    }
    return segments.contains { segment in
      segment.header.last > sequence
        && [RowKind.sample, .deletion].contains { kind in
          guard let series = segment.series(key, kind) else { return false }
          return series.blocks.contains { hasChanges(segment, $0, of: series, after: sequence) }
        }
    }
  }

  private func hasChanges(
    _ segment: Segment, _ block: Int, of series: SegmentSeries, after sequence: UInt64
  ) -> Bool {
    let zone = segment.zone(block)
    if zone.maxSequence <= sequence { return false }
    let rows = segment.rows(of: series, inBlock: block)
    if rows.count == zone.count || zone.minSequence > sequence { return true }
    do {
      let numbers = try caches.blocks.rows(segment, block, rows, .sequence)
      return (0..<numbers.count).contains { numbers.sequence[$0] > sequence }
    } catch {
      return true
    }
  }

  /// Returns whether a series may have changes that a registration has not processed.
  ///
  /// Returns true below the floor, where a deletion may have been forgotten.
  package func isBehind(_ registration: DeliveryRegistration, _ key: SeriesKey) -> Bool {
    registration.sequence < floor || hasChanges(in: key, after: registration.sequence)
  }
}
