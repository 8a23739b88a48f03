extension Snapshot {
  /// Returns the number of samples that rules would delete, without deleting them.
  ///
  /// - Parameter rules: The rules; the first that names a sample's subject and type applies.
  /// - Returns: The subjects and types with such samples, sorted by name.
  /// - Throws: ``StoreError/invalid(_:)`` for a cutoff that is not a time, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  /// - Complexity: Linear in the rows of the blocks that hold such samples, whose end dates are
  ///   decoded.
  public func expired(by rules: [ExpiryRule]) throws -> [ExpiryResult.Series] {
    try expiring(rules).compactMap { key, filter in
      let count = try sampleCount([key], where: filter)
      return count == 0 ? nil : ExpiryResult.Series(key, count, symbols)
    }
  }

  /// Returns the series that rules name, sorted by name, with filters for their expired samples.
  func expiring(_ rules: [ExpiryRule]) throws -> [(key: SeriesKey, filter: RowFilter)] {
    for rule in rules { try rule.check() }
    var result: [(key: SeriesKey, subject: String, type: String, cutoff: Double)] = []
    // Child rows are deleted with their parents.
    for key in series where !symbols.isChildType(key.type) {
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
  /// Returns a filter for samples that ended before a time.
  ///
  /// They also started before it, which lets more blocks be skipped.
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
