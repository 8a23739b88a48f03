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
    let homes = DeletionHomes(segments.map(\.header))
    for segment in segments where segment.deletionCount > 0 {
      var targets: [UInt64] = []
      targets.reserveCapacity(segment.deletionCount)
      for index in segment.series.groups.filter({ $0.kind == .deletion }).flatMap(\.blocks) {
        do {
          try segment.withDeletions(ofBlock: index) { deleted, sequences in
            let count = homes.append(deleted, sequences, of: segment.header, to: &targets)
            if count < deleted.count {
              report(segment.name, 0, "a deletion of what came after it (block \(index))")
            }
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

  /// Creates the homes of the samples of some segments, which must be in order.
  init(_ segments: [SegmentHeader]) {
    headers = segments
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

  /// Appends the samples that a file may still contain, among those that some rows of a segment
  /// delete.
  ///
  /// - Returns: The number of rows before the first that deletes no earlier sample.
  func append(
    _ deleted: UnsafeBufferPointer<UInt64>, _ sequences: UnsafeBufferPointer<UInt64>,
    of segment: SegmentHeader, to targets: inout [UInt64]
  ) -> Int {
    var (greatest, least) = (UInt64(0), UInt64.max)
    // Subtracting 1 makes 0, which is no sequence number, the greatest.
    for row in 0..<deleted.count {
      greatest = max(greatest, deleted[row] &- 1)
      least = min(least, sequences[row])
    }
    // Usually no segment that may contain one of the samples was written after the deletions, or
    // each was.
    if greatest < least - 1 {
      let covering = headers.prefix { $0.first <= greatest + 1 }
      if covering.allSatisfy({ $0.deletedThrough < least }) {
        targets.append(contentsOf: deleted)
        return deleted.count
      }
      if covering.allSatisfy({ $0.deletedThrough >= segment.last }), cover(greatest + 1) {
        return deleted.count
      }
    }
    for row in 0..<deleted.count {
      // A file that was written after the deletion does not contain the sample.
      guard deleted[row] > 0, deleted[row] < sequences[row] else { return row }
      if mayHave(deleted[row], deletedAt: sequences[row]) { targets.append(deleted[row]) }
    }
    return deleted.count
  }

  /// Returns whether each sequence number through `last` is in a segment's range.
  private func cover(_ last: UInt64) -> Bool {
    var next: UInt64 = 1
    for header in headers where header.first <= next { next = max(next, header.last + 1) }
    return next > last
  }
}
