import SampleLog

/// Commits batches to the simulated store, and acknowledges durable subscriptions.
extension FeedSimulation {
  /// The number of series: four of samples, and one of child rows of the first.
  static let seriesCount = 5
  static let sampleSeriesCount = 4
  static let childSeries = 4

  /// Returns the series by number, with the symbols of an opening.
  static func keys(_ database: Database) -> [SeriesKey] {
    let symbols = database.symbols
    let samples = (0..<sampleSeriesCount).map { series in
      SeriesKey(subject: symbols.intern(subject(series)), type: symbols.intern(type(series)))
    }
    let part = symbols.intern(ChildType.name("part", of: type(0)))
    return samples + [SeriesKey(subject: samples[0].subject, type: part)]
  }

  static func subject(_ series: Int) -> String { series < 2 ? "ada" : "bob" }

  static func type(_ series: Int) -> String { series % 2 == 0 ? "heartRate" : "stepCount" }

  /// Saves and deletes in one batch, and sometimes saves deleted samples again.
  func commit() throws {
    guard nesting != .writing else { return }
    try sealWhenFull()
    if plan.isMerging, random.once(in: 12) { return try expire() }
    guard let database, !hasCrashed else { return }
    var batch = Batch()
    var targets: [UInt64] = []
    var added: [HistorySample] = []
    var again: [Identifier] = []
    if random.once(in: 3), !model.samples.isEmpty {
      for _ in 0..<1 + random.drawn(below: 4) {
        let index = random.drawn(below: model.samples.count)
        let sample = model.samples[index]
        if sample.series == Self.childSeries { continue }
        if model.deletedAt[index] == .max {
          guard !targets.contains(sample.sequence) else { continue }
          // The sample's child rows are deleted as well.
          targets += [sample.sequence] + parts(of: sample.id)
          batch.delete(sample.id)
        } else if !again.contains(sample.id), !isAlive(sample.id) {
          again.append(sample.id)
        }
      }
    }
    let count =
      targets.isEmpty || random.once(in: 2) ? [1, 1, 2, 7, 25][random.drawn(below: 5)] : 0
    for offset in 0..<count + again.count {
      let id =
        offset < count
        ? Identifier(high: random.next(), low: random.next()) : again[offset - count]
      let sample = HistorySample(
        sequence: 0, series: random.drawn(below: Self.sampleSeriesCount), id: id,
        value: Double(random.drawn(below: 100)))
      let start = Double(random.drawn(below: 1000))
      let partCount = sample.series == 0 ? random.drawn(below: 3) : 0
      var extras = Extras()
      if partCount > 0 {
        extras.payloadKind = 1
        extras.payload = [1]
      }
      add(sample, start, extras, &batch, &added)
      for _ in 0..<partCount {
        let part = HistorySample(
          sequence: 0, series: Self.childSeries,
          id: Identifier(high: random.next(), low: random.next()),
          value: sample.value)
        var extras = Extras()
        extras.memberOf = [id]
        parents[part.id] = id
        add(part, start, extras, &batch, &added)
      }
    }
    guard !batch.isEmpty else { return }
    inFlight = .batch(targets: targets, added: added)
    let result = try database.commit(batch)
    if hasCrashed { return }
    inFlight = nil
    let expected = model.end + UInt64(targets.count + added.count)
    guard result.sequences == model.end + 1...expected else {
      return record(.broken("a batch took \(result), expected to \(expected)"))
    }
    committed(targets: targets, added: added, end: expected)
    unsealedCount += targets.count + added.count
  }

  private func add(
    _ sample: HistorySample, _ start: Double, _ extras: Extras, _ batch: inout Batch,
    _ added: inout [HistorySample]
  ) {
    guard let database else { return }
    let key = keys[sample.series]
    batch.add(
      subject: key.subject, type: key.type, id: sample.id, start: start, end: start,
      value: sample.value, unit: database.symbols.intern("unit"),
      extras: extras.encoded.isEmpty ? 0 : batch.intern(extras: extras.encoded))
    added.append(sample)
  }

  /// Returns the sequence numbers of a sample's child rows.
  private func parts(of id: Identifier) -> [UInt64] {
    model.samples.indices
      .filter { model.deletedAt[$0] == .max && parents[model.samples[$0].id] == id }
      .map { model.samples[$0].sequence }
  }

  private func isAlive(_ id: Identifier) -> Bool {
    model.samples.indices.contains { model.samples[$0].id == id && model.deletedAt[$0] == .max }
  }

  /// Records a batch whose save returned.
  func committed(targets: [UInt64], added: [HistorySample], end: UInt64) {
    let first = model.end + 1
    var added = added
    for index in added.indices {
      added[index].sequence = first + UInt64(targets.count + index)
    }
    let commit = HistoryCommit(
      first: first, last: end, time: now, targets: targets, added: added)
    model.commit(commit)
    record(.committed(commit))
  }

  // MARK: Durable subscriptions

  /// Acknowledges a sequence number for a durable subscriber, or removes its subscription.
  func acknowledge() throws {
    guard let database, nesting != .writing else { return }
    let durable = subscribers.filter { $0.durableName != nil }
    guard !durable.isEmpty else { return }
    let subscriber = durable[random.drawn(below: durable.count)]
    guard let name = subscriber.durableName else { return }
    if subscriber.acknowledged != nil, random.once(in: 10) {
      inFlight = .acknowledging(subscriber, nil)
      try database.removeAcknowledgement(name)
      if hasCrashed { return }
      inFlight = nil
      committed(targets: [], added: [], end: database.end)
      notified(subscriber, nil, database.snapshot().floor)
      return
    }
    // A new subscription may start at the beginning; it then acknowledges 0 before it reads.
    if subscriber.acknowledged == nil, random.once(in: 2) { restart(subscriber) }
    let sequence = subscriber.anchor.sequence
    inFlight = .acknowledging(subscriber, sequence)
    do {
      try database.acknowledge(name, through: sequence)
    } catch StoreError.anchorExpired(let anchor, let floor) {
      inFlight = nil
      let isRight = subscriber.acknowledged == nil && anchor == sequence && sequence < floor
      if !isRight { record(.broken("\(name) was refused \(sequence) for \(floor)")) }
      return
    }
    if hasCrashed { return }
    inFlight = nil
    committed(targets: [], added: [], end: database.end)
    notified(subscriber, sequence, database.snapshot().floor)
  }

  /// Records the position of a durable subscription, or nil if it was removed.
  func notified(_ subscriber: SimulatedSubscriber, _ sequence: UInt64?, _ floor: UInt64) {
    subscriber.acknowledged = sequence
    if let sequence {
      subscriber.anchors[sequence] = subscriber.anchor
      record(.acknowledged(subscriber: subscriber.number, sequence: sequence, floor: floor))
    } else {
      record(.released(subscriber: subscriber.number))
    }
  }
}
