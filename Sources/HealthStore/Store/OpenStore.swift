import Dispatch
import Foundation
import SampleLog

/// A database in use, with what HealthKit's layer knows about it.
///
/// All methods block the calling thread for as long as the disk takes.
final class OpenStore: Sendable {
  /// Where reads for async callers run, so that Swift's own threads are never blocked.
  static let readers = DispatchQueue(label: "healthstore.read", attributes: .concurrent)

  let database: Database
  let context: StoreContext
  private let whenReleased: (@Sendable (Database) -> Void)?
  private let endings = Locked<Endings>(Endings())

  private struct Endings {
    var isClosed = false
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  /// Takes a database; `whenReleased` is called when nobody uses the store any more.
  init(_ database: Database, whenReleased: (@Sendable (Database) -> Void)? = nil) {
    self.database = database
    self.whenReleased = whenReleased
    context = StoreContext(database.symbols)
  }

  deinit { whenReleased?(database) }

  var isClosed: Bool { endings.withLock { $0.isClosed } }

  /// Closes the database for all who use it and ends their feeds.
  func close() throws {
    let actions = endings.withLock { endings in
      defer { endings.actions = [:] }
      endings.isClosed = true
      return Array(endings.actions.values)
    }
    defer { for action in actions { action() } }
    try database.close()
  }

  /// Calls a function when the store is closed; at once when it is closed already.
  func whenClosed(_ action: @escaping @Sendable () -> Void) -> Int? {
    let number = endings.withLock { endings -> Int? in
      if endings.isClosed { return nil }
      endings.next += 1
      endings.actions[endings.next] = action
      return endings.next
    }
    if number == nil { action() }
    return number
  }

  func forget(ending number: Int) {
    endings.withLock { _ = $0.actions.removeValue(forKey: number) }
  }
}
