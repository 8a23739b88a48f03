import SampleLog

/// Reads the simulated store: subscribers, probes of the feed, and snapshots.
extension FeedSimulation {
  func addSubscriber(_ number: Int) {
    let subscriber = SimulatedSubscriber(number, &random)
    subscribers.append(subscriber)
    restart(subscriber)
    listen(subscriber)
  }

  /// Restarts at the beginning of the feed with empty contents.
  func restart(_ subscriber: SimulatedSubscriber) {
    if hasCrashed { return }
    subscriber.anchor = .beginning
    subscriber.mustRead = true
    record(.started(subscriber: subscriber.number, subscriber.filter, sequence: 0))
  }

  func listen(_ subscriber: SimulatedSubscriber) {
    guard let database, !hasCrashed else { return }
    let wanted = subscriber.filter.series
    let wantedKeys = wanted.map { Set($0.map { keys[$0] }) }
    subscriber.mustRead = true
    record(.listening(subscriber: subscriber.number, series: wanted))
    let number = subscriber.number
    subscriber.observation = database.observe(wantedKeys) { [unowned self, unowned database] in
      if $0.series.isEmpty { return }
      record(.notified(subscriber: number, end: $0.end, readable: database.snapshot().end))
      subscribers[number].mustRead = true
    }
  }

  /// Resumes a subscriber after an opening or a pause.
  func goOn(_ subscriber: SimulatedSubscriber) {
    // A subscriber without acknowledgements keeps its sequence number itself.
    if let sequence = subscriber.acknowledged, random.once(in: 2) {
      subscriber.anchor = subscriber.anchors[sequence] ?? Anchor(sequence: sequence)
      record(.resumed(subscriber: subscriber.number, sequence: sequence))
    }
    listen(subscriber)
  }

  func stopOrStart() throws {
    if nesting == .writing { return }
    let subscriber = subscribers[random.drawn(below: subscribers.count)]
    if subscriber.isStopped {
      subscriber.isStopped = false
      goOn(subscriber)
    } else if random.once(in: 3) {
      subscriber.observation?.cancel()
      subscriber.observation = nil
      subscriber.isStopped = true
      // No notification will report the changes it misses.
      subscriber.mustRead = true
      record(.silenced(subscriber: subscriber.number))
    }
  }

  func readFeed() throws {
    if subscribers.isEmpty { return }
    let subscriber = subscribers[random.drawn(below: subscribers.count)]
    if subscriber.isStopped || !random.once(in: subscriber.slowness) { return }
    _ = try read(subscriber)
  }

  /// Reads a page; returns whether there are more.
  func read(_ subscriber: SimulatedSubscriber) throws -> Bool {
    guard let database, !hasCrashed else { return false }
    // A subscriber that waits for an acknowledgement does not read.
    if case .acknowledging(let waiting, _) = inFlight, waiting === subscriber { return false }
    let snapshot = database.snapshot()
    let filter = rowFilter(subscriber.filter)
    let series = subscriber.filter.series.map { $0.sorted().map { keys[$0] } }
    do {
      let page = try snapshot.changes(
        after: subscriber.anchor, in: series, where: filter, limit: subscriber.limit)
      record(
        .delivered(
          Delivery(
            subscriber: subscriber.number, limit: subscriber.limit,
            from: subscriber.anchor.sequence, anchor: page.anchor.sequence, hasMore: page.hasMore,
            changes: page.changes.map { change($0) }, end: snapshot.end,
            floor: snapshot.floor, wasExpected: subscriber.mustRead)))
      subscriber.anchor = page.anchor
      subscriber.mustRead = page.hasMore
      return page.hasMore
    } catch {
      note(
        error, subscriber.anchor, snapshot,
        durable: subscriber.acknowledged == nil ? nil : subscriber.durableName)
      restart(subscriber)
      return true
    }
  }

  /// Requests changes after sequence numbers around the floor and the end, to detect off-by-one
  /// errors.
  func probe() {
    guard let database, !hasCrashed else { return }
    let snapshot = database.snapshot()
    let floor = snapshot.floor
    var sequences: Set<UInt64> = [0, 1, floor, floor + 1, snapshot.end, snapshot.end + 1]
    if floor > 0 { sequences.insert(floor - 1) }
    for sequence in sequences.sorted() {
      let anchor = Anchor(sequence: sequence)
      do {
        _ = try snapshot.changes(after: anchor, limit: 1)
        record(
          .probed(Probe(anchor: anchor, end: snapshot.end, floor: floor, outcome: .served)))
      } catch {
        note(error, anchor, snapshot, durable: nil)
      }
    }
  }

  private func note(
    _ error: any Error, _ anchor: Anchor, _ snapshot: Snapshot, durable: String?
  ) {
    let outcome: Probe.Outcome
    switch error {
    case StoreError.anchorExpired(anchor.sequence, snapshot.floor): outcome = .expired
    case StoreError.anchorFromTheFuture(anchor.horizon, snapshot.end): outcome = .future
    default: outcome = .failed("\(error)")
    }
    record(
      .probed(
        Probe(
          anchor: anchor, end: snapshot.end, floor: snapshot.floor, outcome: outcome,
          durable: durable)))
  }

  /// Reads a new snapshot or one that is still held.
  func readSnapshot() {
    guard let database, !hasCrashed else { return }
    if snapshots.isEmpty || random.once(in: 2) {
      snapshotCount += 1
      snapshots.append((snapshotCount, database.snapshot()))
      if snapshots.count > 3 { snapshots.removeFirst() }
      read(snapshots[snapshots.count - 1])
    } else {
      read(snapshots[random.drawn(below: snapshots.count)])
    }
  }

  private func read(_ held: (number: Int, snapshot: Snapshot)) {
    do {
      let samples = try held.snapshot.select(keys).map { sample($0) }
        .sorted { $0.sequence < $1.sequence }
      record(
        .read(
          opening: opening, snapshot: held.number, end: held.snapshot.end, samples: samples))
    } catch {
      record(.broken("reading a snapshot: \(error)"))
    }
  }

  // MARK: Rows

  private func rowFilter(_ filter: FeedFilter) -> RowFilter {
    var result = RowFilter()
    if let minimum = filter.minimum { result.value = { _ in .from(minimum) } }
    return result
  }

  func change(_ change: Change) -> DeliveredChange {
    DeliveredChange(isDeletion: change.kind == .deletion, sample: sample(change.row))
  }

  private func sample(_ row: Row) -> HistorySample {
    HistorySample(
      sequence: row.sequence, series: keys.firstIndex(of: row.key) ?? -1, id: row.id,
      value: row.value)
  }
}
