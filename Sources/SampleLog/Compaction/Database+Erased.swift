/// Removes erased data from the files of a store.
extension Database {
  /// The greatest sequence number of an erasure, or 0 if none is on record.
  ///
  /// It includes erasures whose record was forgotten since the store was opened.
  package var lastErasure: UInt64 { state.withLock { $0.lastErasure } }

  /// Returns whether a file may hold data that was erased at or before a sequence number.
  ///
  /// - Throws: An error of the operating system.
  package func mayHoldErased(through sequence: UInt64) throws -> Bool {
    if try hasLog(startingBy: sequence) { return true }
    let (segments, deleted, settings) = state.withLock { ($0.segments, $0.deleted, $0.settings) }
    return segments.contains { segment in
      let header = segment.header
      guard header.first < sequence else { return false }
      if header.deletedThrough >= sequence {
        // Sealing omits deleted samples, but only merging omits the deletions of erased ones.
        return segment.deletionCount > 0 && header.generation == 0
      }
      return segment.deletionCount > 0 || deleted.mayIntersect(header.first, header.last)
        || segment.settings.contains(where: settings.isErased)
    }
  }

  /// Removes the sealed logs of a replica that begin at or before the last erasure.
  ///
  /// - Throws: An error of the operating system.
  package func releaseErasedLogs() throws {
    try releaseLogs(through: end, startingBy: lastErasure)
  }

  /// Removes erased data from all files of a replica: compacts the store, and removes the sealed
  /// logs that begin at or before the last erasure.
  ///
  /// The logs after the erasure continue the history as before.
  ///
  /// - Returns: The last erasure through which no file has erased data.
  /// - Throws: The errors of ``compact(progress:isCancelled:)``.
  package func removeErased(isCancelled: () -> Bool) throws -> UInt64 {
    let erasure = lastErasure
    try compact(isCancelled: isCancelled)
    try releaseErasedLogs()
    return erasure
  }
}
