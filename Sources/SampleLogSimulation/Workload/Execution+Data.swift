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
    case .saveOwner(let count):
      let owner = owner()
      edit.additions = [owner] + (0..<count).map { part($0 + 1, of: owner) }
    case .addOwned:
      guard let owner = reference.samples.last(where: { $0.isOwner }) else { break }
      edit.additions = [part(0, of: owner)]
    case .saveVersion:
      // Each version under the one name owns a row, those under the other none.
      let isOwner = reference.records.count % 2 == 1
      var record = isOwner ? owner() : sample(beside: [])
      record.series = isOwner ? 1 : 0
      record.syncName = isOwner ? 8 : 7
      record.syncVersion = Int64(reference.end) + 1
      var extras = Extras()
      if isOwner { extras = Self.ownerExtras }
      extras.syncIdentifier = [record.syncName]
      extras.syncVersion = record.syncVersion
      record.extras = extras.encoded
      let name = record.syncName
      if let old = reference.samples.first(where: { $0.syncName == name }) {
        edit = deletion(of: old)
      }
      edit.additions = [record] + (isOwner ? [part(1, of: record)] : [])
    case .deleteOldest: if let oldest = reference.samples.first { edit = deletion(of: oldest) }
    case .deleteNewest:
      // It may be one that belongs to another.
      if let newest = reference.alive.last { edit = deletion(of: reference.records[newest]) }
    case .exchange:
      if let oldest = reference.samples.first { edit = deletion(of: oldest) }
      edit.additions = [sample(beside: [])]
    case .erase:
      edit.erasure = reference.samples.first.map { $0.series / Comparison.types.count }
    default: break
    }
    return edit
  }

  /// The deletion of a record and what belongs to it.
  func deletion(of record: Record) -> Edit {
    var edit = Edit(time: clock.now)
    edit.deletions = [record.id]
    edit.ownedDeletions = reference.owned(by: record.id).map(\.id)
    return edit
  }

  /// Those of a sample that owns rows: it has a payload.
  private static var ownerExtras: Extras {
    var extras = Extras()
    extras.payloadKind = 1
    extras.payload = [1]
    return extras
  }

  private func owner() -> Record {
    var owner = sample(beside: [])
    owner.series = owner.series / Comparison.types.count * Comparison.types.count + 1
    owner.extras = Self.ownerExtras.encoded
    owner.isOwner = true
    return owner
  }

  /// What belongs to a record, with as many others before it in the batch.
  private func part(_ position: Int, of owner: Record) -> Record {
    let number = UInt64(reference.records.count + position)
    var extras = Extras()
    extras.memberOf = [owner.id]
    var part = Record(
      id: stream.identifier(number), series: owner.series + 1, start: owner.start, end: owner.end,
      value: Double(number) / 4, extras: extras.encoded)
    part.owner = owner.id
    return part
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
    let (person, type) = Int(number % UInt64(2 * workload.people)).quotientAndRemainder(
      dividingBy: 2)
    return Record(
      id: free ?? id, series: person * Comparison.types.count + type,
      start: start, end: start + Double(number % 4), value: Double(number) / 4,
      extras: extras.encoded)
  }
}
