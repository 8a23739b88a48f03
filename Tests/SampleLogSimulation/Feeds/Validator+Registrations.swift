import SampleLog

/// Checks the registrations for background delivery.
extension Validator {
  /// I26: an opening finds each registration unchanged: its last delivery, its number of failures
  /// and its acknowledged position.
  static let remembered = Validator(name: "remembered") { history in
    var registrations: [Int: DeliveryRegistration] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .registered(let series, let registration, _): registrations[series] = registration
      case .remembered(let now):
        if now != registrations {
          found.append("opened with the registrations \(now), expected \(registrations)")
        }
      default: break
      }
    }
    return found
  }

  /// I27: unacknowledged changes are reported as undelivered after any crash and compaction, and a
  /// registration without such changes is not reported as pending.
  static let delivered = Validator(name: "delivered") { history in
    var model = HistoryModel()
    var registrations: [Int: DeliveryRegistration] = [:]
    var found: [String] = []
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .registered(let series, let registration, _): registrations[series] = registration
      case .behind(let series, let isBehind, let floor):
        guard let sequence = registrations[series]?.sequence else {
          found.append("\(series) is asked for and not registered")
          continue
        }
        if !isBehind, model.hasChanges(of: series, after: sequence) {
          found.append("changes of \(series) after \(sequence) would not be delivered")
        }
        if isBehind, floor <= sequence, !model.hasChanges(of: series, after: sequence) {
          found.append("\(series) has nothing after \(sequence) and would be delivered")
        }
      default: break
      }
    }
    return found
  }

  /// I28: the floor passes an active registration with pending deliveries only if the deletions are
  /// older than registrations retain them.
  static let kept = Validator(name: "kept") { history in
    var model = HistoryModel()
    var registrations: [Int: (value: DeliveryRegistration, retention: Double)] = [:]
    // The registrations that were behind when truncation began, and have not changed since.
    var needs: [Int: (sequence: UInt64, retention: Double)] = [:]
    var floor: UInt64 = 0
    var found: [String] = []
    for event in history.events {
      switch event {
      case .committed(let commit): model.commit(commit)
      case .registered(let series, let registration, let retention):
        registrations[series] = registration.map { ($0, retention) }
        needs[series] = nil
      case .compacting:
        // A registration already below the floor counts as pending in any case.
        needs = registrations.filter {
          !$0.value.value.isStopped && $0.value.value.sequence >= floor
        }
        .filter { model.hasChanges(of: $0.key, after: $0.value.value.sequence) }
        .mapValues { ($0.value.sequence, $0.retention) }
      case .floor(let now, let time, _):
        let times = model.commits.filter { $0.last >= now && !$0.targets.isEmpty }.map(\.time)
        if now > floor, let oldest = times.min() {
          for need in needs.values
          where now > need.sequence && oldest >= time - need.retention {
            found.append("\(now) of \(oldest) was forgotten at \(time), for \(need)")
          }
        }
        floor = max(floor, now)
        needs = [:]
      case .died: needs = [:]
      default: break
      }
    }
    return found
  }
}

extension HistoryModel {
  /// Returns whether samples of a series were saved or deleted after a sequence number.
  fileprivate func hasChanges(of series: Int, after sequence: UInt64) -> Bool {
    samples[firstIndex(from: sequence + 1)...].contains { $0.series == series }
      || deletions[firstDeletion(from: sequence + 1)...]
        .contains { samples[$0.sample].series == series }
  }
}
