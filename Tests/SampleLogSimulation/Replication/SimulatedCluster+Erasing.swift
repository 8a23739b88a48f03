import SampleLog
import SampleLogReplication

/// An erasure that a primary has committed.
struct SimulatedErasure {
  var epoch: UInt32
  var sequence: UInt64
  /// The samples that it has erased.
  var ids: [Identifier]
}

/// Searches the files of all nodes and the stream for erased samples.
extension SimulatedCluster {
  /// Completes the last erasure of the history that continues, and checks that no copy has a byte
  /// string of an erased sample.
  func checkErased(_ primary: Database) {
    // A copy that is opened after the record of the erasure was forgotten does not know of it.
    guard plan.retention >= 1e9 else { return }
    let last = erasures.last { erasure in
      erasure.sequence == primary.lastErasure
        && model.contains(erasure.epoch, erasure.sequence, in: primary.epoch) == true
    }
    guard let last, let node = nodes.first(where: { $0.database === primary }) else { return }
    attempt(node) { try primary.compact() }
    // The primary may have reported as a replica.
    stream.expireReports(of: node.path)
    advanceAll()
    guard case .primary(_, let publisher) = node.role else { return }
    // Without the log of the erasure, the stream keeps its last message until the next commit.
    if publisher.releasedThrough < last.sequence {
      var batch = Batch()
      let symbols = primary.symbols
      batch.add(
        to: SeriesKey(
          subject: symbols.intern(Self.subjects[0]), type: symbols.intern(Self.types[0])),
        start: 0, value: 0)
      attempt(node) { try primary.commit(batch) }
      advanceAll()
    }
    guard breaches.isEmpty else { return }
    guard publisher.releasedThrough >= last.sequence else {
      return report(
        "the erasure \(last.sequence) does not reach the stream: \(stream.description)")
    }
    figures.erased += min(last.ids.count, 4)
    let messages = stream.everything().map(\.bytes)
    // A few suffice, because whole files and messages are removed.
    for id in last.ids.prefix(4) {
      let word = (0..<8).map { UInt8(truncatingIfNeeded: id.low >> (8 * $0)) }
      let canaries = [word, word.reversed()]
      if messages.contains(where: { $0.containsAny(canaries) }) {
        report("the stream has a sample that \(last.sequence) erased")
      }
      for node in nodes where holdsFile(node, canaries) {
        report("node \(node.number) has a sample that \(last.sequence) erased")
      }
    }
  }

  private func advanceAll() {
    for _ in 0..<40 where breaches.isEmpty {
      for node in nodes { advance(node) }
    }
  }

  private func holdsFile(_ node: SimulatedNode, _ canaries: [[UInt8]]) -> Bool {
    (files.list(node.path) ?? []).contains { name in
      guard let file = try? files.open(node.path + "/" + name, .read),
        let bytes = try? file.bytes(file.size(), at: 0)
      else { return false }
      return bytes.containsAny(canaries)
    }
  }
}

extension [UInt8] {
  fileprivate func containsAny(_ others: [[UInt8]]) -> Bool { others.contains { contains($0) } }
}
