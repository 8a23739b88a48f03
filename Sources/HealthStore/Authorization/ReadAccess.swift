import SampleLog

/// Which rows a policy lets a reader see: the one rule for every kind of query.
///
/// ``StoreReader/plan(_:)`` puts it in front of what a query asks for, and ``StoredBlock`` asks it
/// about the members of correlations. A row whose source cannot be read is admitted, so that
/// whoever reads it meets the error.
struct ReadAccess: Sendable {
  private let policy: AuthorizationPolicy
  private let reader: RowReader
  private let own: SymbolMemo<Never>

  init(_ policy: AuthorizationPolicy, _ reader: RowReader) {
    self.policy = policy
    self.reader = reader
    own = SymbolMemo { [program = policy.source.bundleIdentifier] symbol in
      !reader.hasSourceRevision(symbol)
        || reader.sourceRevision(symbol).source.bundleIdentifier == program
    }
  }

  /// Throws `errorAuthorizationNotDetermined` when nobody was asked about reading a type.
  func check(_ type: HKSampleType) throws { _ = try policy.mayRead(type) }

  /// Whether activity summaries may be seen, which then tell of samples that may not.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` when nobody was asked about them.
  func admitsActivitySummaries() throws -> Bool { try policy.mayRead(.activitySummaryType()) }

  /// Makes a filter for rows of a type admit only those of them that may be seen.
  ///
  /// What may not be seen never reaches the filter's own condition.
  func limit(_ filter: inout RowFilter, to type: HKSampleType) {
    if type is HKCorrelationType {
      filter.condition = { [condition = filter.condition] block, row in
        guard admitsCorrelation(block, row) else { return false }
        return try condition?(block, row) ?? true
      }
      filter.conditionColumns.formUnion([.source, .extras])
    } else if policy.answer(toRead: type) != .granted {
      filter.source = { [source = filter.source] in own($0) && source?($0) ?? true }
    }
  }

  /// Whether a row of a type may be seen, as the member of a correlation.
  func admits(_ row: RowReference, _ type: HKSampleType) -> Bool {
    policy.answer(toRead: type) == .granted || own(row.block.source[row.row])
  }

  /// Whether a correlation may be seen: one's own, and one with an object of a type that may.
  private func admitsCorrelation(_ block: Block, _ row: Int) -> Bool {
    if own(block.source[row]) { return true }
    guard let extras = Extras(block.extras(at: row)) else { return true }
    if extras.payloadKind == 0 { return false }
    guard let payload = CorrelationPayload(extras) else { return true }
    return payload.members.contains { member in
      HKObjectType.make(identifier: member.type).map { policy.answer(toRead: $0) == .granted }
        ?? false
    }
  }
}
