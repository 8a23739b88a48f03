extension Recovery {
  /// Adds the samples of erased subjects that a file still contains to the deleted ones.
  mutating func readErased(_ recovered: inout Recovered) throws {
    let erasures = recovered.settings.erasures(symbols)
    if erasures.isEmpty { return }
    for segment in recovered.segments {
      for erasure in erasures.values where segment.header.first < erasure.sequence {
        if segment.header.deletedThrough >= erasure.sequence { continue }
        for series in segment.samples(of: erasure.subject) {
          for index in series.blocks {
            do {
              let rows = segment.rows(of: series, inBlock: index)
              let block = try segment.block(index, .sequence)
              recovered.deleted.insert(erasure.sequences(in: block, rows))
            } catch StoreError.damaged(let name, let offset, let reason) {
              report(name, offset, reason)
            }
          }
        }
      }
    }
    for memTable in recovered.memTables {
      recovered.deleted.insert(try memTable.sequences(erasedBy: erasures))
    }
  }

  /// Adds the samples whose deletions are in segments to the deleted ones.
  mutating func readDeletions(
    _ segments: [Segment], _ recovered: inout Recovered
  ) throws {
    let homes = DeletionHomes(segments)
    for segment in segments where segment.deletionCount > 0 {
      var targets: [UInt64] = []
      targets.reserveCapacity(segment.deletionCount)
      for index in segment.series.groups.filter({ $0.kind == .deletion }).flatMap(\.blocks) {
        do {
          // Without a column of subjects, which would intern them.
          let block = try segment.block(index, [.sequence, .target], hasSubjects: false)
          for row in 0..<block.count {
            // A file that was written after the deletion does not contain the sample.
            let (target, sequence) = (block.target[row], block.sequence[row])
            guard target > 0, target < sequence else {
              report(segment.name, 0, "a deletion of what came after it (block \(index))")
              break
            }
            if homes.mayHave(target, deletedAt: sequence) { targets.append(target) }
          }
        } catch StoreError.damaged(let name, let offset, let reason) {
          report(name, offset, reason)
        }
      }
      recovered.deleted.insert(targets)
    }
  }
}

/// The segments that cover deleted samples.
struct DeletionHomes {
  private let headers: [SegmentHeader]
  /// A sequence number after which every deletion is of a sample that a file may still contain.
  private let applied: UInt64

  init(_ segments: [Segment]) {
    headers = segments.map(\.header)
    applied = headers.map(\.deletedThrough).max() ?? 0
  }

  /// Returns whether a file may still contain a deleted sample, because no segment that covers it
  /// was written after the deletion.
  @inline(__always)
  func mayHave(_ target: UInt64, deletedAt sequence: UInt64) -> Bool {
    sequence > applied || isUnapplied(target, deletedAt: sequence)
  }

  private func isUnapplied(_ target: UInt64, deletedAt sequence: UInt64) -> Bool {
    let next = headers.indices.partition { headers[$0].first <= target }
    guard next > 0, target <= headers[next - 1].last else { return true }
    return headers[next - 1].deletedThrough < sequence
  }
}
