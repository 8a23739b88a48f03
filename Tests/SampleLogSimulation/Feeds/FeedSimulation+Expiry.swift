import SampleLog

/// Expires samples of the simulated store.
extension FeedSimulation {
  /// The number of samples per commit of an expiry; small, so that there are several commits.
  static let expiryBatchCount = 5

  /// Expires the older samples of a subject, or of one of its types.
  func expire() throws {
    guard let database, nesting != .writing else { return }
    let first = 2 * random.drawn(below: 2)
    let type = random.once(in: 2) ? first + random.drawn(below: 2) : nil
    let cutoff = Double(random.drawn(below: 400))
    let rule = ExpiryRule(
      subject: Self.subject(first), type: type.map { Self.type($0) }, endingBefore: cutoff)
    var wanted = type.map { [keys[$0]] } ?? [keys[first], keys[first + 1]]
    // Child rows are deleted with their parents.
    if wanted.contains(keys[0]) { wanted.append(keys[Self.childSeries]) }
    var left = Set(
      try database.snapshot().select(wanted).filter { $0.block.end[$0.row] < cutoff }
        .map(\.sequence))
    inFlight = .expiry(left)
    do {
      try database.expire(
        [rule],
        progress: { _ in
          if hasCrashed { return }
          // Each commit notifies separately.
          do { try expired(&left, database) } catch { record(.broken("expired: \(error)")) }
          inFlight = .expiry(left)
        }, isCancelled: { hasCrashed })
    } catch StoreError.cancelled where hasCrashed {}
    if hasCrashed { return }
    inFlight = nil
    if !left.isEmpty { record(.broken("\(left.sorted()) are left by an expiry")) }
  }

  /// Records a commit of an expiry.
  ///
  /// The store determines which samples it deletes; their number and the set they belong to are
  /// known.
  func expired(_ left: inout Set<UInt64>, _ database: Database) throws {
    let targets = try database.snapshot().changes(after: Anchor(sequence: model.end)).changes.map {
      $0.kind == .deletion ? $0.row.block.target[$0.row.row] : 0
    }
    let count = targets.count(where: isSample)
    if count != min(left.count(where: isSample), Self.expiryBatchCount)
      || !left.isSuperset(of: targets)
    {
      record(.broken("\(targets) expired, of \(left.sorted())"))
    }
    left.subtract(targets)
    committed(targets: targets, added: [], end: database.end)
    unsealedCount += targets.count
  }

  /// Returns whether a live row is a sample rather than a child row.
  private func isSample(_ sequence: UInt64) -> Bool {
    model.index(of: sequence).map { model.samples[$0].series != Self.childSeries } ?? false
  }
}
