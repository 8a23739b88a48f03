/// The publication state of a store, as its directory records it.
public struct PublicationState: Hashable, Sendable {
  /// The sequence number through which the stream is known to have confirmed everything, or 0.
  ///
  /// After the primary was killed, the stream may contain more.
  public internal(set) var confirmed: UInt64 = 0
  /// The maximum number of records that may wait to be published.
  public internal(set) var unpublishedRecordCount: UInt64 = 0
  /// The number of sealed logs that are kept until they are published.
  public internal(set) var keptLogCount = 0
  /// The total length of these logs, in bytes; no other figure includes them.
  public internal(set) var keptLogByteCount = 0
  /// The sequence number after which the logs continue, or nil if they continue from ``confirmed``.
  ///
  /// Replicas whose end lies in between cannot catch up from the logs.
  public internal(set) var gapEnd: UInt64?
}

extension Database {
  /// Returns the publication state from the directory, or nil if the store was never published or
  /// is a replica.
  ///
  /// - Throws: An error of the operating system, and `StoreError.damaged` if a log is damaged.
  /// - Complexity: Linear in the number of kept logs.
  public func publicationState() throws -> PublicationState? {
    guard let marker = try PublicationMarker.read(path, fileSystem) else { return nil }
    var result = PublicationState()
    result.confirmed = marker.confirmed?.last ?? 0
    let end = end
    result.unpublishedRecordCount = end - min(end, result.confirmed)
    for name in try fileSystem.list(path) ?? [] where FileNames.sealedLogFirst(name) != nil {
      do {
        result.keptLogByteCount += try fileSystem.open(path + "/" + name, .read).size()
        result.keptLogCount += 1
      } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isMissing(code) {
        // The log was published and removed after it was listed.
      }
    }
    if let confirmed = marker.confirmed?.last, confirmed < end {
      let start = try lastBeforeLogs(leadingFrom: confirmed)
      result.gapEnd = start > confirmed ? start : nil
    }
    return result
  }
}
