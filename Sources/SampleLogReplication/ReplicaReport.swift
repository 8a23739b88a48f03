public import SampleLog

/// What a replica says of itself: how far it has come on its disk.
///
/// A report may be old or lost, and never says more than was durable when it was made. So a primary
/// may count a replica for a commit if the report is of the primary's own epoch and as far as the
/// commit, however old it is: the numbers of an epoch are given once, and a replica that follows
/// the epoch has compared the chain of its history, so the number means the same commit there.
public struct ReplicaReport: Hashable, Sendable {
  /// The store.
  public let storeID: Identifier
  /// The epoch that the replica follows.
  public let epoch: UInt32
  /// How many epochs came before.
  public let term: UInt32
  /// The last sequence number on its disk.
  public let last: UInt64
  /// The chain of its history there.
  package let chain: HistoryChain

  package init(
    storeID: Identifier, epoch: UInt32, term: UInt32, last: UInt64, chain: HistoryChain
  ) {
    self.storeID = storeID
    self.epoch = epoch
    self.term = term
    self.last = last
    self.chain = chain
  }

  private static let magic: UInt64 = 0x0A01_5450_4552_5348  // "HSREPT", 1, line feed
  private static let version: UInt32 = 1
  private static let size = 56

  package var encoded: [UInt8] {
    var bytes = ByteWriter(reserving: Self.size)
    bytes.fixed(Self.magic)
    bytes.fixed(Self.version)
    bytes.fixed(epoch)
    bytes.fixed(storeID.high)
    bytes.fixed(storeID.low)
    bytes.fixed(last)
    bytes.fixed(term)
    bytes.fixed(chain.value)
    bytes.fixed(UInt32(0))
    bytes.fixed(checksum(bytes.bytes))
    return bytes.bytes
  }

  /// Reads a report.
  ///
  /// - Returns: nil when the bytes are damaged or no report.
  /// - Throws: `StoreError.unsupportedVersion`.
  package init?(_ bytes: [UInt8]) throws {
    guard bytes.count >= Self.size else { return nil }
    var fields = HeaderFields(bytes)
    guard fields.word() == Self.magic else { return nil }
    let version = fields.half()
    epoch = fields.half()
    storeID = Identifier(high: fields.word(), low: fields.word())
    last = fields.word()
    term = fields.half()
    chain = HistoryChain(value: fields.half())
    _ = fields.half()
    guard fields.half() == checksum(Array(bytes[..<(Self.size - 4)])) else { return nil }
    guard version == Self.version else {
      throw StoreError.unsupportedVersion(file: "a replica's report", version: Int(version))
    }
    guard bytes.count == Self.size else { return nil }
  }
}

extension StreamTransport {
  /// The last known report of each replica of a store, by its name.
  ///
  /// What is damaged, and what is of another store, is left out.
  ///
  /// - Throws: `StoreError.unsupportedVersion` for the report of a newer program, and errors of the
  ///   stream.
  public func reports(of storeID: Identifier) throws -> [String: ReplicaReport] {
    try reports().compactMapValues { try ReplicaReport($0) }.filter { $0.value.storeID == storeID }
  }
}

extension [String: ReplicaReport] {
  /// The replica that has most of what a database does not have; nil when there is none.
  func ahead(of database: Database) -> (name: String, report: ReplicaReport)? {
    let (epoch, term, end) = (database.epoch, database.term, database.durableEnd)
    // Of two epochs with one term each may have what the other has not.
    return filter { _, report in
      report.term > term || report.term == term && (report.epoch != epoch || report.last > end)
    }
    .max { ($0.value.term, $0.value.last, $0.key) < ($1.value.term, $1.value.last, $1.key) }
    .map { ($0.key, $0.value) }
  }
}
