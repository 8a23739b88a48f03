extension Database {
  /// Deletes the samples that a selection matches.
  ///
  /// The samples are deleted in one atomic commit unless it would exceed the limits of a commit or
  /// the space left on a full disk. In that case they are deleted in several atomic commits, and
  /// those made before an error persist. Each commit is checked against the snapshot in which its
  /// samples were found, so no sample is looked up again or deleted twice, and concurrent deletions
  /// are not an error. Samples that are committed during the call are not deleted.
  ///
  /// - Parameters:
  ///   - selection: The series to search, and the filter of each. Its conditions must not commit,
  ///     because this call may hold the log exclusively.
  ///   - inspect: Called with each sample before it is deleted and the snapshot that it belongs to,
  ///     and again if the commit conflicted and is prepared anew. It must not commit.
  /// - Returns: The number of deleted samples, once the deletions have the database's default
  ///   durability.
  /// - Throws: The errors of `inspect` and of the conditions, ``StoreError/readOnly``,
  ///   ``StoreError/invalid(_:)`` for another database's series,
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read, and the errors of
  ///   ``commit(_:durability:)``.
  /// - Complexity: Time linear in the rows of the blocks that the filters' ranges cannot exclude;
  ///   memory for the deleted samples of one commit and for one block.
  @discardableResult
  public func delete(
    where selection: SeriesSelection,
    inspect: (Row, Snapshot) throws -> Void = { _, _ in }
  ) throws -> Int {
    try checkWritable()
    try selection.check(symbols)
    let snapshot = snapshot()
    // Child rows are deleted with their parents.
    let series = Set(
      selection.series ?? snapshot.series.filter { !symbols.isChildType($0.type) }
    ).sorted()
    var search = DeletionSearch(
      series.map { ($0, selection.filter(for: $0)) }, in: snapshot)
    _ = try delete(&search, atMost: options.batchRecordLimit, inspect: inspect)
    return search.count
  }

  /// Deletes the samples that a search finds.
  ///
  /// Each commit deletes up to `limit` samples, or fewer if their extras reach `extrasBytes` bytes.
  ///
  /// - Returns: The number of commits.
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
        // After a conflict with a concurrent commit, the search repeats from the same position.
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
        // A full disk has reserved space for deletions, but only for small commits.
        limit = (found.count - search.count) / 4
        continue
      }
      commitCount += 1
      progress(search.count)
    }
    return commitCount
  }
}
