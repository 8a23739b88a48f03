extension Database {
  /// Returns the registration of a series; nil when there is none.
  ///
  /// - Throws: ``StoreError/unsupportedVersion(file:version:)`` for what a later version may have
  ///   written.
  /// - Complexity: O(1), however many registrations there are.
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
  /// - Throws: What ``registration(of:)`` throws.
  /// - Complexity: Linear in the settings of the store.
  package func registrations(
    of subject: Symbol
  ) throws -> [(key: SeriesKey, registration: DeliveryRegistration)] {
    try registeredSeries(of: subject).compactMap { key in
      try registration(of: key).map { (key, $0) }
    }
  }

  /// Returns everybody's registrations, in no particular order.
  ///
  /// - Throws: What ``registration(of:)`` throws.
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

  /// Logs a registration of a series, which begins at the end; of one that exists already only the
  /// frequency changes.
  ///
  /// - Returns: The registration as it is now.
  /// - Throws: What ``commit(_:durability:)`` and ``registration(of:)`` throw.
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

  /// Logs where registrations are now, in one commit.
  ///
  /// One that was removed meanwhile is left out, and a sequence number does not go back.
  ///
  /// - Throws: What ``commit(_:durability:)`` throws; nothing has changed then.
  /// - Complexity: Linear in what is logged, however many registrations there are.
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

  /// Removes registrations, which then keep no deletions.
  ///
  /// - Throws: What ``commit(_:durability:)`` throws.
  package func removeRegistrations(of keys: [SeriesKey]) throws {
    try registering.withLock { _ in
      try set(keys.map { (SubjectSetting.delivery.key($0, symbols), []) })
    }
  }

  /// Removes all registrations of a subject, those as well that this version cannot read.
  ///
  /// - Returns: The series that had one.
  /// - Throws: What ``commit(_:durability:)`` throws.
  /// - Complexity: Linear in the settings of the store.
  @discardableResult
  package func removeRegistrations(ofSubject subject: Symbol) throws -> [SeriesKey] {
    try registering.withLock { _ in
      let keys = registeredSeries(of: subject)
      try set(keys.map { (SubjectSetting.delivery.key($0, symbols), []) })
      return keys
    }
  }

  /// Notifies the observers of a series of something else than a commit; their feeds read a page
  /// without changes.
  package func notifyObservers(of key: SeriesKey) {
    // Names no sequence number, so that no feed takes what it has not read for another's.
    notifier.notify(before: 0, end: 0, touched: [key])
  }

  /// The time by the clock that the database was opened with.
  package var currentTime: Double { options.clock() }
}

extension Snapshot {
  /// Whether a series has changes after a sequence number: samples, also such as were deleted
  /// again, or deletions.
  ///
  /// A block that cannot be read may have changes: whoever reads them gets the error.
  ///
  /// - Complexity: Linear in the blocks that the series has after the number. Of blocks that have
  ///   other subjects' rows, too, sequence numbers are read.
  package func hasChanges(in key: SeriesKey, after sequence: UInt64) -> Bool {
    for memTable in memTables
    where !memTable.rows(after: sequence, through: end, in: [key], limit: 1).isEmpty {
      return true
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

  /// Whether there may be changes of a series that a registration has not dealt with.
  ///
  /// Below the floor a deletion may have been forgotten, so nobody knows.
  package func isBehind(_ registration: DeliveryRegistration, _ key: SeriesKey) -> Bool {
    registration.sequence < floor || hasChanges(in: key, after: registration.sequence)
  }
}
