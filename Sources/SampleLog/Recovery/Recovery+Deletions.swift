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
    for segment in segments where segment.deletionCount > 0 {
      var targets: [UInt64] = []
      for index in 0..<segment.blockCount where !segment.isSample(index) {
        do {
          let block = try segment.block(index, [.sequence, .target])
          for row in 0..<block.count {
            // A file that was written after the deletion does not contain the sample.
            let target = block.target[row]
            guard target > 0, target < block.sequence[row] else {
              report(segment.name, 0, "a deletion of what came after it (block \(index))")
              break
            }
            if recovered.has(target, deletedAt: block.sequence[row]) { targets.append(target) }
          }
        } catch StoreError.damaged(let name, let offset, let reason) {
          report(name, offset, reason)
        }
      }
      recovered.deleted.insert(targets)
    }
  }
}

extension Recovered {
  /// Returns whether a file may still contain a deleted sample, because no segment that covers it
  /// was written after the deletion.
  func has(_ target: UInt64, deletedAt sequence: UInt64) -> Bool {
    let home = segments.last { $0.header.first <= target }
    guard let home, target <= home.header.last else { return true }
    return home.header.deletedThrough < sequence
  }
}
