import SampleLog
import Testing

@testable import SampleLogReplication
@testable import SampleLogSimulation

@Suite struct ReportTests {
  private let stores = Stores()
  private let report = ReplicaReport(
    storeID: Identifier(high: 1, low: 2), epoch: 3, term: 4, last: 5,
    chain: HistoryChain(value: 6))

  @Test func `A report survives a round trip`() throws {
    #expect(report.encoded.count == 56)
    #expect(try ReplicaReport(report.encoded) == report)
  }

  @Test func `A report that is altered, truncated or extended is rejected`() throws {
    let bytes = report.encoded
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try ReplicaReport(damaged) == nil)
    }
    for count in 0..<bytes.count { #expect(try ReplicaReport(Array(bytes[..<count])) == nil) }
    #expect(try ReplicaReport(bytes + [0]) == nil)
  }

  @Test func `A report of a later version is an error`() throws {
    var bytes = report.encoded
    bytes[8] = 2
    var writer = ByteWriter()
    writer.fixed(checksum(Array(bytes[..<52])))
    bytes = bytes[..<52] + writer.bytes
    #expect(throws: StoreError.unsupportedVersion(file: "a replica's report", version: 2)) {
      try ReplicaReport(bytes)
    }
  }

  @Test func `Damaged reports and reports of other stores are ignored`() throws {
    try stores.stream.report(report.encoded, from: "one")
    try stores.stream.report([1, 2, 3], from: "other")
    #expect(try stores.stream.reports(of: report.storeID) == ["one": report])
    #expect(try stores.stream.reports(of: Identifier(high: 9, low: 9)) == [:])
  }

  /// A primary with two commits in the stream, and an empty replica with a name.
  private func pair() throws -> (primary: Database, replica: Replica) {
    let primary = try stores.open()
    try primary.save(1)
    try primary.save(2)
    try Publisher(primary, stores.stream).publishAll()
    try stores.makeReplica("replica", of: primary)
    return (primary, try replica())
  }

  private func replica() throws -> Replica {
    try Replica(
      path: "replica", transport: stores.stream, options: Stores.options(),
      fileSystem: stores.files, batchLimit: 1, name: "one")
  }

  private func reported(_ database: Database) throws -> UInt64? {
    try stores.stream.reports(of: database.storeID)["one"]?.last
  }

  @Test func `A replica reports each position that it reaches once`() throws {
    let (primary, replica) = try pair()
    #expect(try replica.step() == .advanced)
    while try reported(primary) != primary.end {
      #expect(try reported(primary) == replica.database.durableEnd)
      _ = try replica.step()
    }
    try replica.catchUp()
    stores.stream.wipeReports()
    for _ in 0..<100 { _ = try replica.step() }
    #expect(try reported(primary) == nil)
  }

  @Test func `A replica repeats a report that may be lost`() throws {
    let (primary, replica) = try pair()
    try replica.catchUp()
    stores.stream.wipeReports()
    for _ in 0..<300 { _ = try replica.step() }
    #expect(try reported(primary) == primary.end)
  }

  @Test func `A replica without a name sends no reports`() throws {
    let (_, named) = try pair()
    try named.close()
    try stores.replica("replica").catchUp()
    #expect(try stores.stream.reports() == [:])
  }

  @Test func `A report counts only for the primary's epoch and up to its commit`() throws {
    let primary = try stores.open()
    try primary.save(1)
    try primary.save(2)
    func report(_ epoch: UInt32, _ term: UInt32, _ last: UInt64) -> ReplicaReport {
      ReplicaReport(
        storeID: primary.storeID, epoch: epoch, term: term, last: last,
        chain: HistoryChain(value: 1))
    }
    let reports = [
      "all": report(1, 0, 2), "less": report(1, 0, 1), "other": report(7, 0, 2),
    ]
    #expect(try primary.holders(of: 2, in: reports) == ["all"])
    #expect(try Set(primary.holders(of: 1, in: reports)) == ["all", "less"])
    #expect(throws: StoreError.fenced(epoch: 8)) {
      try primary.holders(of: 1, in: ["newer": report(8, 1, 2)])
    }
    #expect(throws: StoreError.fenced(epoch: 8)) { try primary.save(3) }
  }

  @Test func `A primary that lacks a commit of a replica refuses to save`() throws {
    let primary = try stores.open()
    try primary.save(1)
    let ahead = ReplicaReport(
      storeID: primary.storeID, epoch: 1, term: 0, last: 2, chain: HistoryChain(value: 1))
    #expect(throws: StoreError.diverged(sequence: 2)) {
      try primary.holders(of: 1, in: ["ahead": ahead])
    }
    #expect(throws: StoreError.fenced(epoch: 1)) { try primary.save(2) }
  }
}
