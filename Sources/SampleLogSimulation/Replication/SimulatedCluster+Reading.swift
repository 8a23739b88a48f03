import SampleLog
import SampleLogReplication

/// Somebody who reads the feed on one machine today and on another tomorrow.
final class ClusterSubscriber {
  var anchor = Anchor.beginning
  var rows: [Identifier: Double] = [:]

  func restart() {
    anchor = .beginning
    rows = [:]
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
  /// Reads a page of the feed on a machine.
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
          // It is behind, or its history is not that of the anchor.
          if isShared == true, anchor.horizon <= database.end {
            report("node \(node.number) does not know the anchor \(anchor)")
          }
          return false
        }
      default: break
      }
      let page = try database.snapshot().changes(
        after: anchor, limit: limit ?? 1 + random.below(6))
      if isShared == false { report("node \(node.number) took an anchor into a lost history") }
      figures.pages += 1
      subscriber.take(page, database.symbols)
      return page.hasMore
    } catch StoreError.anchorExpired {
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

  /// Compares a machine with all that was seen so far.
  func observe(_ node: SimulatedNode) {
    guard let database = node.database, !node.needsBackup, node.door?.isDead == false else {
      return
    }
    var isPrimary = false
    if case .primary = node.role { isPrimary = true }
    attempt(node) {
      if let breach = try model.observe(database, isPrimary: isPrimary) {
        report("node \(node.number): \(breach)")
      }
    }
  }
}
