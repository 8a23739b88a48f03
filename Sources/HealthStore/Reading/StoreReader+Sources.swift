import Foundation
import SampleLog

// Queries for sources.
extension StoreReader {
  /// Returns the sources of matching samples, without creating sample objects.
  func sources(_ plan: QueryPlan) throws -> Set<HKSource> {
    try check()
    guard !plan.types.isEmpty else { return [] }
    let snapshot = store.database.snapshot()
    let symbols = try snapshot.sources(of: plan.selection)
    return Set(
      try symbols.map { symbol in
        guard store.reader.hasSourceRevision(symbol) else {
          throw try damage(symbol, plan, snapshot)
        }
        return store.reader.sourceRevision(symbol).source
      })
  }

  /// Returns the error for a corrupt source, naming its file.
  private func damage(
    _ symbol: Symbol, _ plan: QueryPlan, _ snapshot: Snapshot
  ) throws -> any Error {
    var filter = RowFilter()
    filter.source = { $0 == symbol }
    let series = plan.types.map(\.key)
    let row = try snapshot.select(series, where: filter, limit: 1).first
    let reason = "a source that makes no sense"
    return row.map { snapshot.damaged($0, reason) } ?? StoreError.invalid(reason)
  }
}
