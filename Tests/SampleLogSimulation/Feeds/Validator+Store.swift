import SampleLog

/// Checks the floor, snapshots, notifications and acknowledgements.
extension Validator {
  /// I20: requests below the floor are refused, those from the floor on are served, and those
  /// beyond the end are refused.
  ///
  /// The floor never decreases, passes only deletions that are old enough, and stays at or below
  /// the needs of durable subscriptions.
  static let honestFloor = Validator(name: "honest floor") { history in
    var found: [String] = []
    var model = HistoryModel()
    var floor: UInt64 = 0
    var sequences: [Int: UInt64] = [:]
    // A subscription that began at 0 has no earlier contents and needs no earlier deletions.
    var begun: [Int: UInt64] = [:]
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .acknowledged(let subscriber, let sequence, _):
        if sequences[subscriber] == nil { begun[subscriber] = sequence == 0 ? model.end : 0 }
        sequences[subscriber] = max(sequence, begun[subscriber] ?? 0)
      case .released(let subscriber): sequences[subscriber] = nil
      case .floor(let now, let time, let retention):
        if now < floor { found.append("the floor fell from \(floor) to \(now)") }
        if now > floor {
          if let lowest = sequences.values.min(), now > lowest {
            found.append("the floor rose to \(now) and \(lowest) was needed")
          }
          if model.deletion(now) == nil { found.append("the floor \(now) is no deletion") }
          // A deletion counts as at least as old as later ones, regardless of the clock.
          let times = model.commits.filter { $0.last >= now && !$0.targets.isEmpty }.map(\.time)
          if let oldest = times.min(), oldest >= time - retention {
            found.append("\(now) of \(oldest) was forgotten at \(time)")
          }
        }
        floor = max(floor, now)
      case .probed(let probe):
        let anchor = probe.anchor
        let reach = max(anchor.sequence, anchor.initialLoadEnd)
        let wanted: Probe.Outcome =
          anchor.horizon > probe.end
          ? .future : anchor.sequence != 0 && reach < probe.floor ? .expired : .served
        if probe.outcome != wanted { found.append("\(probe) should have been \(wanted)") }
        if probe.durable != nil, probe.outcome == .expired {
          found.append("a durable subscription has expired: \(probe)")
        }
        if probe.floor < floor { found.append("the floor fell from \(floor): \(probe)") }
      default: break
      }
    }
    return found
  }

  /// I10 and P2: a snapshot always yields the state at its end, with complete batches only, each
  /// time it is read.
  static let repeatable = Validator(name: "repeatable") { history in
    var model = HistoryModel()
    var found: [String] = []
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .read(_, let number, let end, let samples):
        if end > model.end {
          found.append("snapshot \(number) ends at \(end), beyond what was committed")
        }
        if samples != model.state(end) {
          found.append("snapshot \(number) of \(end) reads \(samples)")
        }
      default: break
      }
    }
    return found
  }

  /// I11 and I12: ends of snapshots never decrease, and snapshots include every batch whose save
  /// returned.
  static let monotonic = Validator(name: "monotonic") { history in
    var found: [String] = []
    var ends: [Int: (number: Int, end: UInt64)] = [:]
    var known: Set<[Int]> = []
    var committed: UInt64 = 0
    for event in history.events {
      switch event {
      case .committed(let commit): committed = commit.last
      case .read(let opening, let number, let end, _):
        guard known.insert([opening, number]).inserted else { continue }
        if let before = ends[opening], before.number < number, before.end > end {
          found.append("snapshot \(number) ends at \(end), an earlier one at \(before.end)")
        }
        if end < committed { found.append("\(committed) was saved and \(end) is read") }
        ends[opening] = (number, end)
      case .delivered(let page):
        if page.end < committed { found.append("\(committed) was saved and \(page.end) is read") }
      default: break
      }
    }
    return found
  }

  /// I22: a batch notifies each affected observer once and no other, and only after it is readable.
  static let woken = Validator(name: "woken") { history in
    var model = HistoryModel()
    var listeners: [Int: Set<Int>?] = [:]
    var notices: [Int: [UInt64]] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .listening(let subscriber, let series): listeners[subscriber] = .some(series)
      case .silenced(let subscriber): listeners[subscriber] = nil
      case .died, .opened:
        listeners = [:]
        notices = [:]
      case .notified(let subscriber, let end, let readable):
        if readable < end { found.append("notified of \(end) when \(readable) could be read") }
        notices[subscriber, default: []].append(end)
      case .committed(let commit):
        model.commit(commit)
        let touched = Set(
          commit.added.map(\.series)
            + commit.targets.compactMap { model.index(of: $0).map { model.samples[$0].series } })
        for (subscriber, series) in listeners {
          let isConcerned = series.map { !$0.isDisjoint(with: touched) } ?? !touched.isEmpty
          if notices[subscriber, default: []] != (isConcerned ? [commit.last] : []) {
            found.append(
              "\(subscriber) was notified of \(notices[subscriber] ?? []), not of \(commit.last)")
          }
        }
        notices = [:]
      default: break
      }
    }
    return found
  }

  /// I23: acknowledged sequence numbers never decrease, and an opening finds them.
  static let acknowledged = Validator(name: "acknowledged") { history in
    var sequences: [Int: UInt64] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .acknowledged(let subscriber, let sequence, _):
        if let before = sequences[subscriber], before > sequence {
          found.append("\(subscriber) went back from \(before) to \(sequence)")
        }
        sequences[subscriber] = sequence
      case .released(let subscriber): sequences[subscriber] = nil
      case .opened(_, let now):
        if now != sequences {
          found.append("opened with the acknowledgements \(now), expected \(sequences)")
        }
      default: break
      }
    }
    return found
  }
}
