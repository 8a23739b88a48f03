import SampleLog

/// Decides which rows a reader may see under a policy, for every kind of query.
///
/// ``StoreReader/plan(_:)`` adds it to a query's own filter, and ``StoredBlock`` applies it to the
/// members of correlations. A row with an unreadable source is admitted, so that reading it
/// reports the error.
struct ReadAccess: Sendable {
  private let policy: AuthorizationPolicy
  private let reader: RowReader
  private let own: SymbolCache<Bool, Never>

  init(_ policy: AuthorizationPolicy, _ reader: RowReader) {
    self.policy = policy
    self.reader = reader
    own = SymbolCache { [program = policy.source.bundleIdentifier] symbol in
      !reader.hasSourceRevision(symbol)
        || reader.sourceRevision(symbol).source.bundleIdentifier == program
    }
  }

  /// Throws `errorAuthorizationNotDetermined` if reading a type has not been requested.
  func check(_ type: HKSampleType) throws { _ = try policy.mayRead(type) }

  /// Returns whether activity summaries may be read.
  ///
  /// Summaries include samples that may not be read individually.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` if they have not been requested.
  func admitsActivitySummaries() throws -> Bool { try policy.mayRead(.activitySummaryType()) }

  /// Restricts a filter for rows of a type to those that may be read.
  ///
  /// Hidden rows are rejected before the filter's own condition is evaluated.
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

  /// Returns whether a row of a type may be read, as the member of a correlation.
  func admits(_ row: Row, _ type: HKSampleType) -> Bool {
    policy.answer(toRead: type) == .granted || own(row.block.source[row.row])
  }

  /// Returns whether a correlation may be read: it is the program's own or has a member of a
  /// readable type.
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
