import SampleLog

/// The plainest account of the accepted batches: samples in order, each with when it went.
package struct HistoryModel {
  package private(set) var samples: [HistorySample] = []
  /// For each sample the number of its deletion; `.max` while it lives.
  package private(set) var deletedAt: [UInt64] = []
  /// For each sample the number of the erasure of its series; `.max` without one.
  package private(set) var erasedAt: [UInt64] = []
  /// Erasures in order: their number and the series of which everything before went.
  package private(set) var erasures: [(sequence: UInt64, series: Set<Int>)] = []
  /// Deletions in order: their number and the index of their sample in `samples`.
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

  /// The index in `samples` of a number.
  package func index(of sequence: UInt64) -> Int? {
    let index = firstIndex(from: sequence)
    return index < samples.count && samples[index].sequence == sequence ? index : nil
  }

  /// The index of the first sample with a number or a greater one.
  package func firstIndex(from sequence: UInt64) -> Int {
    var lower = 0
    var upper = samples.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if samples[middle].sequence < sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// The deletion with a number.
  package func deletion(_ sequence: UInt64) -> Int? {
    let index = firstDeletion(from: sequence)
    guard index < deletions.count, deletions[index].sequence == sequence else { return nil }
    return deletions[index].sample
  }

  /// The index in `deletions` of the first with a number or a greater one.
  package func firstDeletion(from sequence: UInt64) -> Int {
    var lower = 0
    var upper = deletions.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if deletions[middle].sequence < sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// Whether a sample is alive when everything up to a number has happened.
  package func isAlive(_ index: Int, at sequence: UInt64) -> Bool {
    samples[index].sequence <= sequence && deletedAt[index] > sequence && erasedAt[index] > sequence
  }

  /// Whether a snapshot with an end knows of an erasure of a series that comes after an anchor.
  ///
  /// A store keeps the last erasure of each subject, and a feed reports that one.
  package func isErased(_ series: Int, after anchor: UInt64, at end: UInt64) -> Bool {
    erasures.contains { $0.sequence > anchor && $0.sequence <= end && $0.series.contains(series) }
  }

  /// What is alive when everything up to a number has happened.
  package func state(_ sequence: UInt64) -> [HistorySample] {
    samples.indices.filter { isAlive($0, at: sequence) }.map { samples[$0] }
  }

  /// The batch that a number belongs to.
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
