/// What an erasure did.
public struct ErasureResult: Hashable, Sendable {
  /// The samples that were erased.
  public var sampleCount = 0
  /// The sequence number of the erasure; nil when there was nothing of the subject.
  public var sequence: UInt64?
}

extension Database {
  /// Erases everything of a subject at once: samples, deletions, settings and registrations.
  ///
  /// From the moment this returns, no snapshot taken later and no feed shows any of it. In the log
  /// it is one record, however much is erased. The bytes are in the store's files until
  /// ``compact(progress:isCancelled:)`` has rewritten them, which one call does whatever the
  /// retention is; in backups made before they stay. Snapshots taken before stay as they are.
  ///
  /// Feeds of everything report the erasure in ``ChangePage/erasures``; feeds of the subject's
  /// series end with ``StoreError/erased(subject:sequence:)``; others go on. The record of the
  /// erasure, with the subject's name, is kept as deletions are and then forgotten.
  ///
  /// The subject may be used again: what is saved later is not concerned. Saves that are under way
  /// come either before or after the erasure, and whole.
  ///
  /// - Parameter subject: Who is erased. Subjects are compared byte by byte.
  /// - Returns: What was erased, once that is durable.
  /// - Throws: ``StoreError/readOnly``, ``StoreError/invalid(_:)`` for another database's name,
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block of the subject cannot be read, and
  ///   what ``commit(_:durability:)`` throws; nothing has changed then.
  /// - Complexity: Time linear in the blocks of the subject, of which sequence numbers are read,
  ///   and in the series and settings of the store. Commits wait meanwhile.
  @discardableResult
  public func erase(_ subject: Name) throws -> ErasureResult {
    try erase(symbols.symbol(of: subject))
  }

  @discardableResult
  package func erase(_ subject: Symbol) throws -> ErasureResult {
    try checkWritable()
    guard Int(subject) < symbols.count else { throw StoreError.unknownSymbol }
    let name = symbols.name(subject)
    // So that no registration is written again that was read before.
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

  /// The series whose observers are notified of a subject's erasure.
  func seriesToNotify(ofErased subject: Symbol) -> [SeriesKey] {
    let series =
      snapshot().series(of: subject, [.sample, .deletion]) + notifier.series(ofSubject: subject)
    // Whoever observes everything is notified although there were nothing but settings.
    return series.isEmpty ? [SeriesKey(subject: subject, type: 0)] : series
  }
}

extension Snapshot {
  /// The sequence numbers of the live rows of some series, and how many of them are samples of
  /// their own.
  func live(_ series: [SeriesKey]) throws -> (sequences: [UInt64], samples: Int) {
    var found: [UInt64] = []
    var samples = 0
    try scan(series, columns: .sequence) { block, rows in
      for row in rows { found.append(block.sequence[Int(row)]) }
      if !symbols.isOwnedType(block.type) { samples += rows.count }
      return true
    }
    return (found, samples)
  }
}
