public import SampleLog

/// A replica's report of its durable progress.
///
/// A report may be stale or lost, but never states more than was durable when it was made. A
/// primary may therefore count a replica for a commit if the report has the primary's own epoch and
/// reaches the commit, however old the report is. The sequence numbers of an epoch are assigned
/// once, and a replica that follows the epoch has compared the chain of its history, so a number
/// denotes the same commit on both.
public struct ReplicaReport: Hashable, Sendable {
  /// The identifier of the store.
  public let storeID: Identifier
  /// The epoch that the replica follows.
  public let epoch: UInt32
  /// The number of earlier epochs.
  public let term: UInt32
  /// The last sequence number that is durable on the replica.
  public let last: UInt64
  /// The chain of the replica's history through ``last``.
  package let chain: HistoryChain
  /// The last sequence number through which erased data is in no file of the replica, or 0 if the
  /// report does not state it.
  public let erasedThrough: UInt64

  package init(
    storeID: Identifier, epoch: UInt32, term: UInt32, last: UInt64, chain: HistoryChain,
    erasedThrough: UInt64 = 0
  ) {
    self.storeID = storeID
    self.epoch = epoch
    self.term = term
    self.last = last
    self.chain = chain
    let erasedThrough = min(erasedThrough, last)
    self.erasedThrough = last - erasedThrough < UInt64(UInt32.max) ? erasedThrough : 0
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
    // Earlier releases write 0 here, and ignore the value when they read it.
    bytes.fixed(erasedThrough == 0 ? 0 : UInt32(last - erasedThrough) + 1)
    bytes.fixed(checksum(bytes.bytes))
    return bytes.bytes
  }

  /// Decodes a report.
  ///
  /// - Returns: nil if the bytes are damaged or not a report.
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
    let distance = UInt64(fields.half())
    erasedThrough = distance == 0 || distance > last ? 0 : last - (distance - 1)
    guard fields.half() == checksum(Array(bytes[..<(Self.size - 4)])) else { return nil }
    guard version == Self.version else {
      throw StoreError.unsupportedVersion(file: "a replica's report", version: Int(version))
    }
    guard bytes.count == Self.size else { return nil }
  }
}

extension StreamTransport {
  /// Returns the last known report of each replica of a store, by name.
  ///
  /// Damaged reports and those of other stores are omitted.
  ///
  /// - Throws: `StoreError.unsupportedVersion` if a newer release made a report, and errors of the
  ///   stream.
  public func reports(of storeID: Identifier) throws -> [String: ReplicaReport] {
    try ReplicaReport.decode(reports(), of: storeID)
  }
}

extension ReplicaReport {
  /// Decodes the reports of a store's replicas, by name.
  ///
  /// Damaged reports and those of other stores are omitted.
  ///
  /// - Throws: `StoreError.unsupportedVersion` if a newer release made a report.
  static func decode(
    _ reports: [String: [UInt8]], of storeID: Identifier
  ) throws -> [String: ReplicaReport] {
    try reports.compactMapValues { try ReplicaReport($0) }.filter { $0.value.storeID == storeID }
  }
}

extension [String: ReplicaReport] {
  /// Returns the replica that is furthest ahead of a database, or nil if none is ahead.
  func ahead(of database: Database) -> (name: String, report: ReplicaReport)? {
    let (epoch, term, end) = (database.epoch, database.term, database.durableEnd)
    // Two epochs with equal terms may each have commits that the other does not have.
    return filter { _, report in
      report.term > term || report.term == term && (report.epoch != epoch || report.last > end)
    }
    .max { ($0.value.term, $0.value.last, $0.key) < ($1.value.term, $1.value.last, $1.key) }
    .map { ($0.key, $0.value) }
  }
}
