/// The end of a log, as recorded in the header of its successor.
///
/// A log whose last write failed may contain frames that were never acknowledged. The successor
/// records where the acknowledged part ends. Recovery ignores everything after that position, and
/// detects a log that is shorter as damaged.
package struct LogEnd: Equatable, Sendable {
  /// The first sequence number that the log may contain.
  package var first: UInt64
  /// The last acknowledged sequence number.
  package var last: UInt64
  /// The offset of the first byte after the last acknowledged frame.
  package var length: UInt64
  /// The chained checksum of all acknowledged frame headers.
  package var chain: UInt32

  package init(first: UInt64, last: UInt64, length: UInt64, chain: UInt32) {
    self.first = first
    self.last = last
    self.length = length
    self.chain = chain
  }
}

/// The header of a log, 128 bytes long.
package struct LogHeader: Equatable, Sendable {
  package static let size = 128
  package static let version: UInt32 = 1
  /// The version of logs with ``rebuilt``; readers of version 1 would continue them incorrectly.
  private static let rebuiltVersion: UInt32 = 2
  private static let magic: UInt64 = 0x0A01_474F_4C53_4853  // "SHSLOG", 1, line feed

  /// The store's identity.
  package var storeID: Identifier
  /// The store's epoch when the log was created.
  package var epoch: UInt32
  /// The first sequence number that the log may contain.
  package var first: UInt64
  /// A random number in every frame of this file, so that stale bytes of another log are not
  /// mistaken for a frame.
  package var salt: UInt64
  /// The end of the previous log, or nil for the first log.
  package var predecessor: LogEnd?
  /// The history chain before this log, or 0 if the chain starts here.
  package var history: UInt32
  /// The history position after frames that were rebuilt from segments, which replaces the chain of
  /// these frames.
  ///
  /// Nil for a log of original commits.
  package var rebuilt: HistoryPosition?

  package init(
    storeID: Identifier, epoch: UInt32, first: UInt64, salt: UInt64, predecessor: LogEnd?,
    history: UInt32 = 0
  ) {
    self.storeID = storeID
    self.epoch = epoch
    self.first = first
    self.salt = salt
    self.predecessor = predecessor
    self.history = history
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter(reserving: Self.size)
    writer.fixed(Self.magic)
    writer.fixed(rebuilt == nil ? Self.version : Self.rebuiltVersion)
    writer.fixed(epoch)
    writer.fixed(storeID.high)
    writer.fixed(storeID.low)
    writer.fixed(first)
    writer.fixed(salt)
    writer.fixed(predecessor?.first ?? 0)
    writer.fixed(predecessor?.last ?? 0)
    writer.fixed(predecessor?.length ?? 0)
    writer.fixed(predecessor?.chain ?? 0)
    writer.fixed(history)
    writer.fixed(rebuilt?.last ?? 0)
    writer.fixed(rebuilt?.chain.value ?? 0)
    writer.pad(toMultipleOf: Self.size - 4)
    writer.fixed(checksum(writer.bytes))
    return writer.bytes
  }

  /// Decodes a header.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` or
  ///   ``StoreError/unsupportedVersion(file:version:)``.
  package init(_ bytes: [UInt8], file: String) throws {
    var trailer = HeaderFields(Array(bytes.suffix(4)))
    guard bytes.count == Self.size, trailer.half() == checksum(Array(bytes.dropLast(4))) else {
      throw StoreError.damaged(file: file, offset: 0, reason: "the header's checksum is wrong")
    }
    var fields = HeaderFields(bytes)
    let magic = fields.word()
    let version = fields.half()
    guard magic == Self.magic else {
      throw StoreError.damaged(file: file, offset: 0, reason: "this is not a log")
    }
    guard version == Self.version || version == Self.rebuiltVersion else {
      throw StoreError.unsupportedVersion(file: file, version: Int(version))
    }
    epoch = fields.half()
    storeID = Identifier(high: fields.word(), low: fields.word())
    first = fields.word()
    salt = fields.word()
    let end = LogEnd(
      first: fields.word(), last: fields.word(), length: fields.word(), chain: fields.half())
    predecessor = end.first == 0 ? nil : end
    history = fields.half()
    if version == Self.rebuiltVersion {
      rebuilt = HistoryPosition(last: fields.word(), chain: HistoryChain(value: fields.half()))
    }
    let isPossible =
      FileNames.isPossible(first)
      && (predecessor.map { $0.length <= UInt64(Int.max) && $0.last < first } ?? true)
      && (rebuilt.map { $0.last >= first } ?? true)
    guard isPossible else {
      throw StoreError.damaged(file: file, offset: 0, reason: "the header has impossible numbers")
    }
  }
}

/// A reader of the fixed-width fields of a header whose length has been checked.
package struct HeaderFields {
  private let bytes: [UInt8]
  private var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func word() -> UInt64 { next(UInt64.self) }
  package mutating func half() -> UInt32 { next(UInt32.self) }

  private mutating func next<T: FixedWidthInteger>(_ type: T.Type) -> T {
    defer { offset += MemoryLayout<T>.size }
    return bytes.withUnsafeBytes {
      T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type))
    }
  }
}
