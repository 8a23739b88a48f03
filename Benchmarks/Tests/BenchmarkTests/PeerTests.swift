import BenchmarkKit
import Foundation
import Testing

/// All peers must do the same work, or the comparison would be unfair.
@Suite("Every peer")
struct PeerTests {
  private static let kinds = [PeerKind.own] + PeerKind.others
  private static let refusing = kinds.filter(\.refusesKnownIdentifiers).map(\.name)
  private static let accepting = kinds.filter { !$0.refusesKnownIdentifiers }.map(\.name)

  private func withPeer(
    _ name: String, _ body: (any BenchmarkPeer) throws -> Void
  ) throws {
    let directory = NSTemporaryDirectory() + "benchmark-tests-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let kind = try #require(Self.kinds.first { $0.name == name })
    let peer = try kind.open(directory, PeerSession.Plan())
    try body(peer)
    try peer.close()
  }

  private func samples(_ numbers: [UInt64]) -> [StreamSample] {
    numbers.map { number in
      var sample = StreamSample()
      sample.sequence = number
      sample.identifier = StreamIdentifier(high: number | 0x4000, low: number | 1 << 63)
      sample.start = Int64(number) * 1000
      sample.end = sample.start
      sample.value = Double(number)
      return sample
    }
  }

  @Test("refuses an identifier that it holds", arguments: refusing)
  func unique(name: String) throws {
    try withPeer(name) { peer in
      try peer.ingest(samples([1, 2])[...])
      var again = samples([3])
      again[0].identifier = samples([2])[0].identifier
      #expect(throws: (any Error).self) { try peer.ingest(again[...]) }
      var digest = Digest()
      let last = try peer.changes(after: 0, of: nil, limit: 10, into: &digest)
      #expect(last == 2)
      #expect(digest.count == 2)
    }
  }

  @Test("keeps a duplicate identifier unless it refuses known ones", arguments: accepting)
  func notUnique(name: String) throws {
    try withPeer(name) { peer in
      let sample = samples([1])
      try peer.ingest(sample[...])
      try peer.ingest(sample[...])
      var digest = Digest()
      try peer.row(sample[0].identifier, into: &digest)
      #expect(digest.count == 2)
    }
  }

  @Test("refuses a duplicate identifier within a batch", arguments: refusing)
  func uniqueInBatch(name: String) throws {
    try withPeer(name) { peer in
      var twice = samples([1, 2])
      twice[1].identifier = twice[0].identifier
      #expect(throws: (any Error).self) { try peer.ingest(twice[...]) }
      var digest = Digest()
      _ = try peer.changes(after: 0, of: nil, limit: 10, into: &digest)
      #expect(digest.count == 0)
    }
  }

  @Test("logs a deletion and no longer returns the row", arguments: kinds.map(\.name))
  func deletion(name: String) throws {
    try withPeer(name) { peer in
      let all = samples([1, 2, 3])
      try peer.ingest(all[...])
      try peer.delete([all[1].identifier], firstSequence: 4)
      var digest = Digest()
      let last = try peer.changes(after: 0, of: nil, limit: 10, into: &digest)
      #expect(last == 4)
      #expect(digest.count == 3)
      #expect(digest.deletions == 1)
      var row = Digest()
      try peer.row(all[1].identifier, into: &row)
      #expect(row.count == 0)
    }
  }

  @Test("returns the same rows after compacting", arguments: kinds.map(\.name))
  func compacted(name: String) throws {
    try withPeer(name) { peer in
      let all = samples(Array(1...20))
      try peer.beginBulk()
      try peer.ingestBulk(all[...])
      try peer.endBulk()
      try peer.delete([all[4].identifier], firstSequence: 21)
      var before = Digest()
      _ = try peer.changes(after: 0, of: nil, limit: 100, into: &before)
      try peer.compact()
      var after = Digest()
      _ = try peer.changes(after: 0, of: nil, limit: 100, into: &after)
      #expect(before.count == 20)
      #expect(after == before)
    }
  }

  @Test("averages only the days of a range", arguments: kinds.map(\.name))
  func days(name: String) throws {
    let day: Int64 = 86_400_000
    // Days 20,000 to 20,003 since 1970, with two samples each.
    let all = samples([1, 2, 3, 4, 5, 6, 7, 8]).map { sample in
      var sample = sample
      sample.start = (20_000 + Int64(sample.sequence - 1) / 2) * day + Int64(sample.value)
      sample.end = sample.start
      return sample
    }
    try withPeer(name) { peer in
      try peer.ingest(all[...])
      let series = StreamSeries(subject: 0, type: .heartRate)
      let found = try peer.averages(of: series, in: 20_001 * day..<20_003 * day)
      #expect(found.map(\.day) == [20_001, 20_002])
      #expect(found.map(\.average) == [3.5, 5.5])
      #expect(found.map(\.minimum) == [3, 5])
      #expect(found.map(\.maximum) == [4, 6])
    }
  }
}
