package import SampleLog

/// The copies that may still have the data of a store's last erasure.
package struct ErasureProgress: Hashable, Sendable {
  /// The sequence number of the erasure.
  package var sequence: UInt64
  /// The replicas that have reported, but have not removed the erased data from their files.
  package var replicas: [String]
  /// Whether the stream may have messages with the erased data.
  package var isInStream: Bool
  /// Whether a file of the store may have the erased data.
  package var isInStore: Bool

  /// Whether no known copy has the erased data.
  package var isConfirmed: Bool { replicas.isEmpty && !isInStream && !isInStore }
}

extension Database {
  /// Returns the progress of the store's last erasure, or nil if none is on record.
  ///
  /// - Throws: An error of the stream, and an error of the operating system.
  package func erasureProgress(
    _ transport: any StreamTransport
  ) throws -> ErasureProgress? {
    let erasure = lastErasure
    if erasure == 0 { return nil }
    let first = try transport.read(from: 1, limit: 1).first
    let reports = try transport.reports(of: storeID)
    return ErasureProgress(
      sequence: erasure,
      replicas: reports.filter { !$0.value.confirms(erasure, in: epoch) }.keys.sorted(),
      isInStream: try first.map {
        try Message($0.bytes)?.mayHoldErased(through: erasure) ?? true
      } ?? false,
      isInStore: try mayHoldErased(through: erasure))
  }
}
