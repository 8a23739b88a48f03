import SampleLog

/// Checks the contents of pages against a model of the committed batches.
extension Validator {
  /// P8: a page contains exactly the net changes between its two sequence numbers, as of its
  /// snapshot.
  ///
  /// Deletions at or below the floor may be missing individually.
  static let exact = Validator(name: "exact") { history in
    var model = HistoryModel()
    var filters: [Int: FeedFilter] = [:]
    var found: [String] = []
    // Pages read while a batch is in flight reflect the state before it, so one pass suffices.
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .started(let subscriber, let filter, _): filters[subscriber] = filter
      case .delivered(let page):
        let filter = filters[page.subscriber] ?? FeedFilter()
        if page.end != model.end, page.end > model.end {
          found.append("a page of the end \(page.end), committed was \(model.end)")
        }
        let got = page.changes.filter { !$0.isDeletion || $0.sample.sequence > page.floor }
        let wanted = model.changes(after: page.from, through: page.anchor, at: page.end, filter)
          .filter { !$0.isDeletion || $0.sample.sequence > page.floor }
        if got != wanted { found.append("expected \(wanted) in \(page)") }
        for change in page.changes where change.isDeletion && change.sample.sequence <= page.floor {
          if model.reported(change.sample.sequence) != change.sample
            || !filter.admits(change.sample)
          {
            found.append("\(change) was never deleted or not wanted")
          }
        }
      default: break
      }
    }
    return found
  }

  /// I15: applying all delivered changes to the initial contents yields, after every page, the live
  /// samples at its anchor, except for those already deleted in the pages' snapshots.
  static let reliable = Validator(name: "reliable") { history in
    var model = HistoryModel()
    var folds: [Int: Fold] = [:]
    var kept: [Int: [UInt64: Fold]] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .started(let subscriber, let filter, let sequence):
        folds[subscriber] = Fold(filter, model, at: sequence)
        kept[subscriber] = [:]
      case .acknowledged(let subscriber, let sequence, _):
        if let fold = folds[subscriber] {
          kept[subscriber] = (kept[subscriber] ?? [:]).filter { $0.key >= fold.acknowledged }
          folds[subscriber]?.acknowledged = sequence
          kept[subscriber]?[sequence] = folds[subscriber]
        }
      case .resumed(let subscriber, let sequence):
        if let fold = kept[subscriber]?[sequence] {
          folds[subscriber] = fold
        } else {
          found.append("\(subscriber) went on from \(sequence), where it never was")
        }
      case .delivered(let page):
        found += folds[page.subscriber]?.take(page, model) ?? ["an unknown subscriber read \(page)"]
      default: break
      }
    }
    return found
  }

  /// I21: a subscriber that had a deleted sample receives its deletion once, when its anchor passes
  /// it.
  static let deletions = Validator(name: "deletions") { history in
    var model = HistoryModel()
    var starts: [Int: (filter: FeedFilter, sequence: UInt64)] = [:]
    var notified: [Int: [UInt64: Int]] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .started(let subscriber, let filter, let sequence):
        starts[subscriber] = (filter, sequence)
        notified[subscriber] = [:]
      case .resumed(let subscriber, let sequence):
        notified[subscriber] = notified[subscriber]?.filter { $0.key <= sequence }
      case .delivered(let page):
        for change in page.changes where change.isDeletion {
          notified[page.subscriber, default: [:]][change.sample.sequence, default: 0] += 1
        }
        guard let start = starts[page.subscriber] else { continue }
        for deletion in model.deletions[model.firstDeletion(from: page.from + 1)...] {
          if deletion.sequence > page.anchor { break }
          let sample = model.samples[deletion.sample]
          guard sample.sequence <= start.sequence, model.erasedAt[deletion.sample] > page.end,
            start.filter.admits(sample)
          else { continue }
          if notified[page.subscriber]?[deletion.sequence] != 1 {
            found.append("\(page.subscriber) was not notified exactly once of \(deletion.sequence)")
          }
        }
      default: break
      }
    }
    return found
  }
}

extension HistoryModel {
  /// Returns the net feed between two sequence numbers as of a snapshot.
  package func changes(
    after sequence: UInt64, through anchor: UInt64, at end: UInt64, _ filter: FeedFilter
  ) -> [DeliveredChange] {
    var result: [DeliveredChange] = []
    var next = firstDeletion(from: sequence + 1)
    func takeDeletions(before sequence: UInt64) {
      while next < deletions.count, deletions[next].sequence < sequence {
        var sample = samples[deletions[next].sample]
        sample.sequence = deletions[next].sequence
        if filter.admits(sample), erasedAt[deletions[next].sample] > end {
          result.append(DeliveredChange(isDeletion: true, sample: sample))
        }
        next += 1
      }
    }
    var index = firstIndex(from: sequence + 1)
    while index < samples.count, samples[index].sequence <= anchor {
      takeDeletions(before: samples[index].sequence)
      if deletedAt[index] > end, erasedAt[index] > end, filter.admits(samples[index]) {
        result.append(DeliveredChange(isDeletion: false, sample: samples[index]))
      }
      index += 1
    }
    takeDeletions(before: anchor + 1)
    return result
  }

  /// Returns the sample as described by its deletion.
  func reported(_ deletion: UInt64) -> HistorySample? {
    self.deletion(deletion).map { index in
      var sample = samples[index]
      sample.sequence = deletion
      return sample
    }
  }
}

/// The contents that a subscriber has built from its pages.
private struct Fold {
  let filter: FeedFilter
  var acknowledged: UInt64 = 0
  private var held: [Identifier: Int] = [:]
  private var isHeld: [Bool] = []
  /// For each sample that a page has passed, the end of that page's snapshot.
  private var seenAt: [UInt64] = []

  init(_ filter: FeedFilter, _ model: HistoryModel, at sequence: UInt64) {
    self.filter = filter
    grow(model, through: sequence, end: sequence)
    for index in seenAt.indices where model.isAlive(index, at: sequence) {
      if filter.admits(model.samples[index]) { hold(index, model) }
    }
  }

  private mutating func grow(_ model: HistoryModel, through anchor: UInt64, end: UInt64) {
    while seenAt.count < model.samples.count, model.samples[seenAt.count].sequence <= anchor {
      seenAt.append(end)
      isHeld.append(false)
    }
  }

  private mutating func hold(_ index: Int, _ model: HistoryModel) {
    if let other = held.updateValue(index, forKey: model.samples[index].id) {
      isHeld[other] = false
    }
    isHeld[index] = true
  }

  private mutating func drop(_ id: Identifier) {
    if let index = held.removeValue(forKey: id) { isHeld[index] = false }
  }

  mutating func take(_ page: Delivery, _ model: HistoryModel) -> [String] {
    grow(model, through: page.anchor, end: page.end)
    var found: [String] = []
    for (sequence, series) in page.erasures {
      for index in isHeld.indices where isHeld[index] && model.samples[index].sequence < sequence {
        if series.contains(model.samples[index].series) { drop(model.samples[index].id) }
      }
    }
    for change in page.changes {
      if change.isDeletion {
        drop(change.sample.id)
      } else if let index = model.index(of: change.sample.sequence), index < isHeld.count,
        model.samples[index] == change.sample
      {
        hold(index, model)
      } else {
        found.append("\(change) was never saved")
      }
    }
    for index in isHeld.indices {
      let gone = min(model.deletedAt[index], model.erasedAt[index])
      let isWanted =
        filter.admits(model.samples[index]) && gone > page.anchor && gone > seenAt[index]
      if isWanted == isHeld[index] { continue }
      // An erased sample is held until its last erasure is reported, because erasures report no
      // deletions.
      let series = model.samples[index].series
      let isLate = isHeld[index] && model.isErased(series, after: page.anchor, at: page.end)
      if !isLate {
        found.append("\(model.samples[index]) \(isWanted ? "is missing" : "stayed") in \(page)")
      }
    }
    return found
  }
}
