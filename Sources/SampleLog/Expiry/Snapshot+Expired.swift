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
    try expiring(rules).compactMap { key, filter in
      let count = try sampleCount([key], where: filter)
      return count == 0 ? nil : ExpiryResult.Series(key, count, symbols)
    }
  }

  /// The series that rules name, by name, with what their rules delete of them.
  func expiring(_ rules: [ExpiryRule]) throws -> [(key: SeriesKey, filter: RowFilter)] {
    for rule in rules { try rule.check() }
    var result: [(key: SeriesKey, subject: String, type: String, cutoff: Double)] = []
    // What belongs to rows goes with them.
    for key in series where !symbols.isOwnedType(key.type) {
      let (subject, type) = (symbols.name(key.subject), symbols.name(key.type))
      guard let rule = rules.first(where: { $0.names(subject: subject, type: type) }) else {
        continue
      }
      result.append((key, symbols.text(key.subject), symbols.text(key.type), rule.cutoff))
    }
    result.sort { ($0.subject, $0.type) < ($1.subject, $1.type) }
    return result.map { ($0.key, .ending(before: $0.cutoff)) }
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
  init(_ key: SeriesKey, _ count: Int, _ symbols: SymbolTable) {
    self.init(
      subject: symbols.text(key.subject), type: symbols.text(key.type), sampleCount: count)
  }
}
