import SampleLog

/// The plainest account of the accepted batches: samples in order, each with when it went.
package struct HistoryModel {
  package private(set) var samples: [HistorySample] = []
  /// For each sample the number of its deletion; `.max` while it lives.
  package private(set) var deletedAt: [UInt64] = []
  /// Deletions in order: their number and the place of their sample in `samples`.
  package private(set) var deletions: [(sequence: UInt64, sample: Int)] = []
  package private(set) var commits: [HistoryCommit] = []

  package init() {}

  package var end: UInt64 { commits.last?.last ?? 0 }

  package mutating func commit(_ commit: HistoryCommit) {
    for (offset, target) in commit.targets.enumerated() {
      guard let place = place(of: target) else { continue }
      deletedAt[place] = commit.first + UInt64(offset)
      deletions.append((commit.first + UInt64(offset), place))
    }
    for sample in commit.added {
      samples.append(sample)
      deletedAt.append(.max)
    }
    commits.append(commit)
  }

  /// The place in `samples` of a number.
  package func place(of sequence: UInt64) -> Int? {
    let place = firstPlace(from: sequence)
    return place < samples.count && samples[place].sequence == sequence ? place : nil
  }

  /// The place of the first sample with a number or a greater one.
  package func firstPlace(from sequence: UInt64) -> Int {
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
    let place = firstDeletion(from: sequence)
    guard place < deletions.count, deletions[place].sequence == sequence else { return nil }
    return deletions[place].sample
  }

  /// The place in `deletions` of the first with a number or a greater one.
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
  package func isAlive(_ place: Int, at sequence: UInt64) -> Bool {
    samples[place].sequence <= sequence && deletedAt[place] > sequence
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
