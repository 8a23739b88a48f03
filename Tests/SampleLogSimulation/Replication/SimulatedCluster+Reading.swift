import SampleLog
import SampleLogReplication

/// A subscriber that reads the feed from different nodes.
final class ClusterSubscriber {
  let filter: FeedFilter
  var anchor = Anchor.beginning
  var rows: [Identifier: Double] = [:]
  /// The pages read in each pass from the beginning.
  private(set) var passes: [[ClusterPage]] = [[]]

  init(minimum: Double?) { filter = FeedFilter(minimum: minimum) }

  func restart() {
    anchor = .beginning
    rows = [:]
    if passes.last?.isEmpty == false { passes.append([]) }
  }

  func note(_ page: ClusterPage) { passes[passes.count - 1].append(page) }

  var rowFilter: RowFilter {
    var result = RowFilter()
    if let minimum = filter.minimum { result.value = { _ in .from(minimum) } }
    return result
  }

  func take(_ page: ChangePage, _ symbols: SymbolTable) {
    for erasure in page.erasures {
      let number: UInt64 = symbols.text(erasure.subject) == "ada" ? 1 : 2
      rows = rows.filter { $0.key.high != number }
    }
    for change in page.changes {
      rows[change.row.id] = change.kind == .sample ? change.row.block.value[change.row.row] : nil
    }
    anchor = page.anchor
  }
}

extension SimulatedCluster {
  /// Reads a page of the feed from a node.
  ///
  /// - Returns: Whether there may be more.
  @discardableResult
  func read(_ subscriber: ClusterSubscriber, _ node: SimulatedNode, limit: Int? = nil) -> Bool {
    guard let database = node.database, !node.needsBackup else { return false }
    let anchor = subscriber.anchor
    let isShared = anchor.origin.flatMap { origin in
      model.contains(origin.epoch, anchor.horizon, in: database.epoch)
    }
    do {
      switch node.role {
      case .replica(let replica), .promoting(let replica, _):
        guard try replica.has(anchor) else {
          // The node is behind, or does not share the anchor's history.
          if isShared == true, anchor.horizon <= database.end {
            report("node \(node.number) does not know the anchor \(anchor)")
          }
          return false
        }
      default: break
      }
      let limit = limit ?? 1 + random.below(6)
      let page = try database.snapshot().changes(
        after: anchor, where: subscriber.rowFilter, limit: limit)
      if isShared == false { report("node \(node.number) took an anchor into a lost history") }
      figures.pages += 1
      subscriber.note(ClusterPage(page, after: anchor, limit, of: database))
      subscriber.take(page, database.symbols)
      return page.hasMore
    } catch StoreError.anchorExpired(_, let floor) {
      if anchor == .beginning || anchor.sequence >= floor {
        report("node \(node.number) refused the anchor \(anchor) for the floor \(floor)")
      }
      subscriber.restart()
    } catch StoreError.anchorFromTheFuture, StoreError.anchorOfAnotherStore {
      guard isShared == true, anchor.horizon <= database.end else {
        figures.refusals += 1
        subscriber.restart()
        return true
      }
      report("node \(node.number) refused the anchor \(anchor)")
    } catch {
      attempt(node) { throw error }
      return false
    }
    return true
  }

  /// Compares a node with everything observed so far.
  func observe(_ node: SimulatedNode) {
    guard let database = node.database, !node.needsBackup, node.door?.hasCrashed == false else {
      return
    }
    let isPrimary =
      switch node.role {
      case .primary, .offline: true
      default: false
      }
    attempt(node) {
      if let breach = try model.observe(database, isPrimary: isPrimary) {
        report("node \(node.number): \(breach)")
      }
    }
  }
}
