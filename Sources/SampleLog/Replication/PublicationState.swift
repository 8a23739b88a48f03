/// The publication of a store to replicas, as its directory records it.
public struct PublicationState: Hashable, Sendable {
  /// A sequence number through which the stream has confirmed everything; 0 if none is known.
  ///
  /// The stream may have more after its primary was killed.
  public internal(set) var confirmed: UInt64 = 0
  /// The greatest number of records that may wait to be published.
  public internal(set) var unpublishedRecordCount: UInt64 = 0
  /// Logs that are sealed, and kept until they are published.
  public internal(set) var keptLogCount = 0
  /// Bytes of these logs, which are in no other figure.
  public internal(set) var keptLogByteCount = 0
  /// The sequence number behind which the logs go on; nil if they lead on from ``confirmed``.
  ///
  /// Replicas that end in between cannot follow.
  public internal(set) var gapEnd: UInt64?
}

extension Database {
  /// Returns how far the store is published, from its directory; nil if it never was, and for a
  /// replica.
  ///
  /// - Throws: An error of the operating system, and `StoreError.damaged` for a log that is.
  /// - Complexity: Linear in the logs that are kept.
  public func publicationState() throws -> PublicationState? {
    guard let mark = try PublicationMark.read(path, fileSystem) else { return nil }
    var result = PublicationState()
    result.confirmed = mark.confirmed?.last ?? 0
    let end = end
    result.unpublishedRecordCount = end - min(end, result.confirmed)
    for name in try fileSystem.list(path) ?? [] where FileNames.sealedLogFirst(name) != nil {
      do {
        result.keptLogByteCount += try fileSystem.open(path + "/" + name, .read).size()
        result.keptLogCount += 1
      } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isMissing(code) {
        // It was published and removed after it was listed.
      }
    }
    if let confirmed = mark.confirmed?.last, confirmed < end {
      let start = try lastBeforeLogs(leadingFrom: confirmed)
      result.gapEnd = start > confirmed ? start : nil
    }
    return result
  }
}
