import Foundation
import SampleLog
import SampleLogReplication
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// The copies that an erasure has not reached, as commands report them.
@Suite struct ErasureWaitTests {
  @Test func `Copies that have not confirmed an erasure are named until all have`() async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60, 61])
    let (backup, path) = (folder.store("backup"), folder.store("replica"))
    #expect(try ToolProcess.run(["backup", "--store", store, backup]).status == 0)
    try Replica.make(from: backup, at: path, of: "one")
    let stream = SharedStream(SimulatedStream(seed: 1))
    var options = Database.Options()
    options.sealsInBackground = false
    let primary = try Primary(path: store, transport: stream, options: options)
    let replica = try Replica(path: path, transport: stream, options: options, name: "other")
    try primary.confirm(through: primary.database.end, .replicated)
    while try replica.step() != .idle {}
    func status() throws -> ClusterStatus {
      try ClusterStatus(
        of: primary.database.storeID, copy: primary.database, transport: stream)
    }
    #expect(try !status().object.text.contains("unconfirmed"))
    let symbol = primary.database.symbols.intern("")
    let erasure = try #require(try primary.database.erase(symbol).sequence)
    try primary.database.compact()
    try primary.confirm(through: erasure, .replicated)
    let all = ["the stream", "this directory", "other"]
    #expect(try ErasureWait.copiesLeft(of: primary, stream) == all)
    let object = try status().object.text
    #expect(object.contains(#""unconfirmedErasure":\#(erasure)"#), "\(object)")
    #expect(
      object.contains(#""unconfirmedCopies":["the stream","this directory","other"]"#), "\(object)")
    let lines = try status().lines
    #expect(lines.contains { $0.hasSuffix("the stream, this directory, other") }, "\(lines)")
    while try replica.step() != .idle {}
    #expect(try ErasureWait.copiesLeft(of: primary, stream) == ["the stream", "this directory"])
    for _ in 0..<20 {
      primary.check()
      // Waits for the check.
      _ = primary.publishedThrough
    }
    #expect(try ErasureWait.copiesLeft(of: primary, stream) == [])
    #expect(try !status().object.text.contains("unconfirmed"))
    try replica.close()
    try primary.close()
  }

  @Test(arguments: [
    (["--server", "nats://127.0.0.1:1"], "needs --wait"),
    (["--wait", "1", "--dry-run"], "exclude each other"), (["--wait", "x"], "--wait"),
    (["--wait", "1", "--yes"], "This program was built without NATS"),
  ])
  func `Waiting without a stream is refused and erases nothing`(
    options: [String], part: String
  ) async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60])
    let run = try ToolProcess.run(["erase", store, "--subject", ""] + options)
    #expect(run.status == 2)
    #expect(run.error.contains(part), "\(run.error)")
    #expect(try Database(path: store, mode: .readOnly).lastErasure == 0)
  }
}
