/// The checksum over the headers of all frames of a store's history, whichever file they are in.
///
/// A log's own chain depends on its salt, which differs in each copy of the store. This one does
/// not: a primary and its replicas have the same value after the same commits, and another one as
/// soon as a commit differs.
package struct HistoryChain: Hashable, Sendable {
  /// Never 0, which in a log's header says that a chain begins with the log.
  package private(set) var value: UInt32

  /// A chain that a message or a header states.
  package init(value: UInt32) { self.value = max(value, 1) }

  /// The chain before the first frame of a log.
  ///
  /// A log that continues no chain begins one, with a value that every copy of the log agrees on.
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

  /// Continues the chain with a frame, but for what only its own log gives it.
  package mutating func append(_ header: FrameHeader) {
    // Without the header's own checksum: that of bytes with theirs behind them is always the same.
    value = max(header.checksumOfCopies(continuing: value), 1)
  }

  /// Continues the chain with a frame of a log, the last of whose rebuilt frames ends where the
  /// commits did that they stand for.
  package mutating func append(_ frame: FrameHeader, in log: LogHeader) {
    append(frame)
    if let rebuilt = log.rebuilt, rebuilt.last == frame.last { self = rebuilt.chain }
  }
}

extension FrameHeader {
  /// Continues a checksum with ``withoutLog``, encoded, but for the header's own checksum.
  func checksumOfCopies(continuing chain: UInt32) -> UInt32 {
    withFields(durableThrough: 0, salt: 0) { checksum($0, chain) }
  }

  /// The header as it is in every copy: without the salt of a log and what was durable in it.
  package var withoutLog: FrameHeader {
    var copy = self
    copy.salt = 0
    copy.durableThrough = 0
    return copy
  }

  /// The header as it is in one log.
  func inLog(salt: UInt64, durableThrough: UInt64) -> FrameHeader {
    var copy = self
    copy.salt = salt
    copy.durableThrough = durableThrough
    return copy
  }
}

/// A place in a store's history: everything through a sequence number.
package struct HistoryPosition: Hashable, Sendable {
  /// The last sequence number.
  package var last: UInt64
  /// The chain through it.
  package var chain: HistoryChain

  package init(last: UInt64, chain: HistoryChain) {
    self.last = last
    self.chain = chain
  }
}
