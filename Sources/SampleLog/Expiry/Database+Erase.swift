/// The result of erasing a subject.
public struct ErasureResult: Hashable, Sendable {
  /// The number of samples that were erased.
  public var sampleCount = 0
  /// The sequence number of the erasure, or nil if the store had no data of the subject.
  public var sequence: UInt64?
}

extension Database {
  /// Erases all data of a subject atomically: samples, deletions, settings and registrations.
  ///
  /// Once this method returns, no new snapshot and no feed shows any of the data. The log contains
  /// one record, however much is erased. The bytes remain in the store's files until
  /// ``compact(progress:isCancelled:)`` rewrites them; one call suffices, regardless of the
  /// retention. They also remain in existing backups, and existing snapshots do not change.
  ///
  /// Feeds of all series report the erasure in ``ChangePage/erasures``. Feeds of the subject's
  /// series end with ``StoreError/erased(subject:sequence:)``. Other feeds continue. The record of
  /// the erasure, which contains the subject's name, is retained like a deletion and then
  /// forgotten.
  ///
  /// The subject may be used again; the erasure does not affect data that is committed later.
  /// Concurrent commits take effect entirely before or entirely after the erasure.
  ///
  /// - Parameter subject: The subject to erase. Subjects are compared byte by byte.
  /// - Returns: The result, once the erasure is durable.
  /// - Throws: ``StoreError/readOnly``, ``StoreError/invalid(_:)`` for another database's name,
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block of the subject cannot be read, and
  ///   the errors of ``commit(_:durability:)``. Nothing has changed in these cases.
  /// - Complexity: Time linear in the blocks of the subject, whose sequence numbers are decoded,
  ///   and in the series and settings of the store. Other commits wait in the meantime.
  @discardableResult
  public func erase(_ subject: Name) throws -> ErasureResult {
    try erase(symbols.symbol(of: subject))
  }

  @discardableResult
  package func erase(_ subject: Symbol) throws -> ErasureResult {
    try checkWritable()
    guard Int(subject) < symbols.count else { throw StoreError.unknownSymbol }
    let name = symbols.name(subject)
    // The lock prevents a concurrent update from restoring a registration that it read earlier.
    return try registering.withLock { _ in
      var result = ErasureResult()
      let commit = try commitExclusively(.durable) { preparation in
        let series = preparation.snapshot.series(of: subject, [.sample, .deletion])
        let isKnown = state.withLock { $0.settings.isAnything(about: name) }
        if series.isEmpty, !isKnown { return }
        (preparation.erased, result.sampleCount) = try preparation.snapshot.live(series)
        preparation.payload.settings = [Erasure.setting(name, time: options.clock())]
      }
      result.sequence = commit.sequences?.lowerBound
      return result
    }
  }

  /// Returns the series whose observers are notified of a subject's erasure.
  func seriesToNotify(ofErased subject: Symbol) -> [SeriesKey] {
    let series =
      snapshot().series(of: subject, [.sample, .deletion]) + notifier.series(ofSubject: subject)
    // Observers of all series are notified even if the subject had only settings.
    return series.isEmpty ? [SeriesKey(subject: subject, type: 0)] : series
  }
}

extension Snapshot {
  /// Returns the sequence numbers of the live rows of some series, and the number of rows that are
  /// not child rows.
  func live(_ series: [SeriesKey]) throws -> (sequences: [UInt64], samples: Int) {
    var found: [UInt64] = []
    var samples = 0
    try scan(series, columns: .sequence) { block, rows in
      for row in rows { found.append(block.sequence[Int(row)]) }
      if !symbols.isChildType(block.type) { samples += rows.count }
      return true
    }
    return (found, samples)
  }
}
