/// Finds the samples that are to go, a batch at a time, each from the store's newest snapshot.
///
/// No snapshot is held in between, so files that are replaced meanwhile give their space back, and
/// the memory taken is that of a batch and a block. Blocks are taken in order of their least start:
/// whatever was not looked at yet starts no earlier than the block where the last batch ended, also
/// when rows have moved to other files since.
struct ExpirySearch {
  /// A batch ends when its samples' extras have this many bytes, whatever their number.
  private static let batchExtrasBytes = 32 << 20

  private let wanted: [(key: SeriesKey, cutoff: Double)]
  /// What was saved later is left for the next time, so the work has an end.
  private let last: UInt64
  private var next = 0
  private var from = -Double.infinity
  /// How many were found of each.
  private var counts: [Int]

  init(_ rules: [ExpiryRule], in snapshot: Snapshot) throws {
    wanted = try snapshot.expiring(rules)
    last = snapshot.end
    counts = [Int](repeating: 0, count: wanted.count)
  }

  /// Whether everything was looked at.
  var isFinished: Bool { next == wanted.count }

  /// How many were found so far.
  var count: Int { counts.reduce(0, +) }

  /// What was found so far.
  func series(_ symbols: SymbolTable) -> [ExpiryResult.Series] {
    zip(wanted, counts).compactMap { one, count in
      count == 0 ? nil : ExpiryResult.Series(one.key, count, symbols)
    }
  }

  /// Adds the next samples to a commit that is being prepared, up to a number.
  mutating func fill(_ preparation: inout Preparation, atMost limit: Int) throws {
    var rows: [Int32] = []
    var found = 0
    var bytes = 0
    while !isFinished {
      let (key, cutoff) = wanted[next]
      var filter = RowFilter.ending(before: cutoff)
      filter.start = filter.start.intersection(.from(from))
      var sources = OrderedSources(
        preparation.snapshot, SeriesSelection([key], where: filter), .start(ascending: true),
        isLimited: true)
      while let source = sources.next() {
        from = max(from, source.zone.minStart)
        let block = try preparation.snapshot.select(
          from: source, [filter], isCached: false, &rows)
        guard let block else { continue }
        for row in rows where block.sequence[Int(row)] <= last {
          if found == limit || bytes >= Self.batchExtrasBytes { return }
          bytes += block.extras(at: Int(row)).count
          preparation.delete(RowReference(block, Int(row)))
          counts[next] += 1
          found += 1
        }
      }
      next += 1
      from = -.infinity
    }
  }
}

extension Snapshot {
  /// Counts the samples that rules would delete, without deleting any.
  ///
  /// - Parameter rules: What expires; the first rule that names a sample's subject and type
  ///   decides.
  /// - Returns: The subjects and types that have such samples, by name.
  /// - Throws: ``StoreError/invalid(_:)`` for a cut-off that is no time, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
  /// - Complexity: Reads the end dates of the blocks that hold such samples.
  public func expired(by rules: [ExpiryRule]) throws -> [ExpiryResult.Series] {
    try expiring(rules).compactMap { key, cutoff in
      var count = 0
      try scan([key], where: .ending(before: cutoff), columns: []) { _, rows in
        count += rows.count
        return true
      }
      return count == 0 ? nil : ExpiryResult.Series(key, count, symbols)
    }
  }

  /// The series that rules name, by name, with their cut-offs.
  fileprivate func expiring(_ rules: [ExpiryRule]) throws -> [(key: SeriesKey, cutoff: Double)] {
    for rule in rules { try rule.check() }
    var result: [(key: SeriesKey, subject: String, type: String, cutoff: Double)] = []
    for key in series {
      let (subject, type) = (symbols.name(key.subject), symbols.name(key.type))
      guard let rule = rules.first(where: { $0.names(subject: subject, type: type) }) else {
        continue
      }
      result.append((key, symbols.text(key.subject), symbols.text(key.type), rule.cutoff))
    }
    result.sort { ($0.subject, $0.type) < ($1.subject, $1.type) }
    return result.map { ($0.key, $0.cutoff) }
  }
}

extension RowFilter {
  /// What ended before a time, and so began before it, by which blocks are left out sooner.
  fileprivate static func ending(before cutoff: Double) -> RowFilter {
    var filter = RowFilter()
    filter.end = .below(cutoff)
    filter.start = .below(cutoff)
    return filter
  }
}

extension ExpiryResult.Series {
  fileprivate init(_ key: SeriesKey, _ count: Int, _ symbols: SymbolTable) {
    self.init(
      subject: symbols.text(key.subject), type: symbols.text(key.type), sampleCount: count)
  }
}
