import SampleLog

/// The simplest model of the accepted batches: samples in order, each with its deletion.
package struct HistoryModel {
  package private(set) var samples: [HistorySample] = []
  /// The sequence number of each sample's deletion, or `.max` if it is live.
  package private(set) var deletedAt: [UInt64] = []
  /// The sequence number of the erasure of each sample's series, or `.max` if there is none.
  package private(set) var erasedAt: [UInt64] = []
  /// The erasures in order: the sequence number and the erased series.
  package private(set) var erasures: [(sequence: UInt64, series: Set<Int>)] = []
  /// The deletions in order: the sequence number and the sample's index in `samples`.
  package private(set) var deletions: [(sequence: UInt64, sample: Int)] = []
  package private(set) var commits: [HistoryCommit] = []

  package init() {}

  package var end: UInt64 { commits.last?.last ?? 0 }

  package mutating func commit(_ commit: HistoryCommit) {
    for (offset, target) in commit.targets.enumerated() {
      guard let index = index(of: target) else { continue }
      deletedAt[index] = commit.first + UInt64(offset)
      deletions.append((commit.first + UInt64(offset), index))
    }
    for sample in commit.added {
      samples.append(sample)
      deletedAt.append(.max)
      erasedAt.append(.max)
    }
    if !commit.erased.isEmpty {
      erasures.append((commit.last, commit.erased))
      for index in samples.indices where erasedAt[index] == .max {
        if commit.erased.contains(samples[index].series) { erasedAt[index] = commit.last }
      }
    }
    commits.append(commit)
  }

  /// Returns the index in `samples` of a sequence number, or nil.
  package func index(of sequence: UInt64) -> Int? {
    let index = firstIndex(from: sequence)
    return index < samples.count && samples[index].sequence == sequence ? index : nil
  }

  /// Returns the index of the first sample at or after a sequence number.
  package func firstIndex(from sequence: UInt64) -> Int {
    var lower = 0
    var upper = samples.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if samples[middle].sequence < sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// Returns the sample index of the deletion with a sequence number, or nil.
  package func deletion(_ sequence: UInt64) -> Int? {
    let index = firstDeletion(from: sequence)
    guard index < deletions.count, deletions[index].sequence == sequence else { return nil }
    return deletions[index].sample
  }

  /// Returns the index in `deletions` of the first at or after a sequence number.
  package func firstDeletion(from sequence: UInt64) -> Int {
    var lower = 0
    var upper = deletions.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if deletions[middle].sequence < sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// Returns whether a sample is live after all changes up to a sequence number.
  package func isAlive(_ index: Int, at sequence: UInt64) -> Bool {
    samples[index].sequence <= sequence && deletedAt[index] > sequence && erasedAt[index] > sequence
  }

  /// Returns whether a snapshot contains an erasure of a series after an anchor.
  ///
  /// A store keeps the last erasure of each subject, which feeds report.
  package func isErased(_ series: Int, after anchor: UInt64, at end: UInt64) -> Bool {
    erasures.contains { $0.sequence > anchor && $0.sequence <= end && $0.series.contains(series) }
  }

  /// Returns the live samples after all changes up to a sequence number.
  package func state(_ sequence: UInt64) -> [HistorySample] {
    samples.indices.filter { isAlive($0, at: sequence) }.map { samples[$0] }
  }

  /// Returns the batch that contains a sequence number.
  package func commit(of sequence: UInt64) -> HistoryCommit? {
    var lower = 0
    var upper = commits.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if commits[middle].last < sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower < commits.count && commits[lower].first <= sequence ? commits[lower] : nil
  }
}
