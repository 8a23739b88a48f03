import SampleLog

extension Execution {
  /// What a step changes, given what is there: nothing here is left to chance.
  func edit(_ step: Step) -> Edit {
    var edit = Edit(time: clock.now)
    switch step {
    case .save(let count), .saveBuffered(let count):
      for _ in 0..<count {
        let sample = sample(beside: edit.additions)
        edit.additions.append(sample)
      }
    case .saveVersion:
      var record = sample(beside: [])
      record.type = 0
      record.syncName = 7
      record.syncVersion = Int64(reference.end) + 1
      var extras = Extras()
      extras.syncIdentifier = [7]
      extras.syncVersion = record.syncVersion
      record.extras = extras.encoded
      edit.additions = [record]
      if let old = reference.alive.first(where: { reference.records[$0].syncName == 7 }) {
        edit.deletions = [reference.records[old].id]
      }
    case .deleteOldest, .deleteNewest:
      let alive = reference.alive
      if let position = step == .deleteOldest ? alive.first : alive.last {
        edit.deletions = [reference.records[position].id]
      }
    case .exchange:
      edit.additions = [sample(beside: [])]
      if let position = reference.alive.first { edit.deletions = [reference.records[position].id] }
    default: break
    }
    return edit
  }

  /// A sample whose identifier, if there is one, was that of a deleted one.
  private func sample(beside others: [Record]) -> Record {
    let taken = Set(others.map(\.id))
    let number = UInt64(reference.records.count + others.count)
    let pool = (0..<3).map { Identifier(high: 0xABCD, low: $0) }
    let free = pool.first { !taken.contains($0) && !reference.isAlive($0) }
    let start = Double((number * 7) % 11)
    var extras = Extras()
    if number % 3 == 0 { extras.metadata = [1, UInt8(truncatingIfNeeded: number), 3] }
    // As clients choose them, and as the library makes them.
    let id =
      number % 4 == 1
      ? Identifier(high: mixed(number), low: number) : stream.identifier(number)
    return Record(
      id: free ?? id, type: Int(number % UInt64(2 * workload.people)),
      start: start, end: start + Double(number % 4), value: Double(number) / 4,
      extras: extras.encoded)
  }
}
