extension Database {
  /// Deletes the samples that a selection finds.
  ///
  /// They are deleted in one commit, all or none, unless that would be larger than a commit may be
  /// or than a full disk takes: then in several, each whole, and what was deleted before an error
  /// stays deleted. Samples are found in the snapshot that their commit is checked against, so none
  /// is looked up again, none is deleted twice, and deletions by others are no error. Samples that
  /// are saved meanwhile stay.
  ///
  /// - Parameters:
  ///   - selection: The series to look in, and what the samples to delete satisfy. Its conditions
  ///     must not commit anything, because the log may be held for this call alone.
  ///   - inspect: Called with each sample before it is deleted and the snapshot that it is of, once
  ///     more when a commit was overtaken and is prepared again; it must not commit anything.
  /// - Returns: How many samples were deleted, once that is as durable as the database's commits
  ///   are.
  /// - Throws: What `inspect` and the conditions throw, ``StoreError/readOnly``,
  ///   ``StoreError/invalid(_:)`` for another database's series,
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read, and what
  ///   ``commit(_:durability:)`` throws.
  /// - Complexity: Time linear in the rows of the blocks that the filters' ranges leave; memory for
  ///   the deleted samples of one commit and one block.
  @discardableResult
  public func delete(
    where selection: SeriesSelection,
    inspect: (Row, Snapshot) throws -> Void = { _, _ in }
  ) throws -> Int {
    try checkWritable()
    try selection.check(symbols)
    let snapshot = snapshot()
    // What belongs to rows goes with them.
    let series = Set(
      selection.series ?? snapshot.series.filter { !symbols.isOwnedType($0.type) }
    ).sorted()
    var search = DeletionSearch(
      series.map { ($0, selection.filter(for: $0)) }, in: snapshot)
    _ = try delete(&search, atMost: options.batchRecordLimit, inspect: inspect)
    return search.count
  }

  /// Deletes what a search finds, up to `limit` in each commit, or until their extras have
  /// `extrasBytes` bytes.
  ///
  /// - Returns: How many commits it took.
  func delete(
    _ search: inout DeletionSearch, atMost limit: Int, extrasBytes: Int = .max,
    inspect: (Row, Snapshot) throws -> Void = { _, _ in },
    progress: (Int) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> Int {
    var limit = limit
    var commitCount = 0
    while !search.isFinished {
      if isCancelled() { throw StoreError.cancelled }
      var found = search
      do {
        // Found again from the start when somebody else's commit came first.
        let commit = try commit {
          found = search
          try found.fill(&$0, atMost: limit, extrasBytes: extrasBytes, inspect)
        }
        search = found
        guard commit.sequences != nil else { continue }
      } catch StoreError.limitExceeded(.batchBytes, actual: _, allowed: _)
        where found.count - search.count > 1
      {
        limit = (found.count - search.count) / 2
        continue
      } catch StoreError.inputOutput(_, _, let code, _)
        where PosixFileSystem.isFull(code) && found.count - search.count > 64
      {
        // A full disk has some space left for deletions, though not for so many at once.
        limit = (found.count - search.count) / 4
        continue
      }
      commitCount += 1
      progress(search.count)
    }
    return commitCount
  }
}
