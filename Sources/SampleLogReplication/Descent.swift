import SampleLog

extension Database {
  /// Returns whether an epoch of a stream is the store's own or one of its earlier epochs.
  func descends(from writer: Writer) -> Bool {
    // A repaired store may name epochs with which it shares no record.
    lastShared(with: writer).map { $0 >= max(writer.epochFirst, 1) - 1 } ?? false
  }

  /// Returns the last sequence number of an epoch that is in the store's history; `UInt64.max` for
  /// the store's own epoch, and nil for an epoch that is not in its history.
  func lastShared(with writer: Writer) -> UInt64? {
    if writer.epoch == epoch { return .max }
    return earlierEpochs.last { $0.epoch == writer.epoch }?.last
  }
}
