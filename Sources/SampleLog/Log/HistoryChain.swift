/// A chained checksum of all frame headers in a store's history, independent of the files that hold
/// them.
///
/// The chain of a log depends on its salt, which differs between copies of a store. This chain does
/// not: a primary and its replicas have equal values after the same commits, and different values
/// from the first differing commit on.
package struct HistoryChain: Hashable, Sendable {
  /// The value of the chain.
  ///
  /// Never 0, which in a log's header marks the beginning of a chain.
  package private(set) var value: UInt32

  /// Creates a chain from the value in a message or a header.
  package init(value: UInt32) { self.value = max(value, 1) }

  /// Creates the chain before the first frame of a log.
  ///
  /// A log that continues no chain starts one, with a value that is the same in every copy of the
  /// log.
  package init(before header: LogHeader) {
    if header.history != 0 {
      value = header.history
      return
    }
    var writer = ByteWriter()
    writer.fixed(header.storeID.high)
    writer.fixed(header.storeID.low)
    writer.fixed(header.epoch)
    writer.fixed(header.first)
    value = max(checksum(writer.bytes), 1)
  }

  /// Extends the chain with a frame, excluding the fields that differ between logs.
  package mutating func append(_ header: FrameHeader) {
    // The header's own checksum is excluded, because the CRC of data followed by its own CRC is
    // constant.
    value = max(header.checksumOfCopies(continuing: value), 1)
  }

  /// Extends the chain with a frame of a log.
  ///
  /// After the last of the log's rebuilt frames, the chain takes the value that it had after the
  /// original commits.
  package mutating func append(_ frame: FrameHeader, in log: LogHeader) {
    append(frame)
    if let rebuilt = log.rebuilt, rebuilt.last == frame.last { self = rebuilt.chain }
  }
}

extension FrameHeader {
  /// Returns a checksum extended with the encoded fields of ``withoutLog``, except the header's own
  /// checksum.
  func checksumOfCopies(continuing chain: UInt32) -> UInt32 {
    withFields(durableThrough: 0, salt: 0) { checksum($0, chain) }
  }

  /// The header without the fields that differ between copies: the log's salt and its durable
  /// position.
  package var withoutLog: FrameHeader {
    var copy = self
    copy.salt = 0
    copy.durableThrough = 0
    return copy
  }

  /// Returns the header with the fields of one log.
  func inLog(salt: UInt64, durableThrough: UInt64) -> FrameHeader {
    var copy = self
    copy.salt = salt
    copy.durableThrough = durableThrough
    return copy
  }
}

/// A position in a store's history.
package struct HistoryPosition: Hashable, Sendable {
  /// The last sequence number up to the position.
  package var last: UInt64
  /// The chain through the last sequence number.
  package var chain: HistoryChain

  package init(last: UInt64, chain: HistoryChain) {
    self.last = last
    self.chain = chain
  }
}
