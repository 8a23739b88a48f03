import Foundation
import SampleLog

/// A database in use, with what HealthKit's layer knows about it.
///
/// All methods block the calling thread for as long as the disk takes.
final class OpenStore: Sendable {
  let database: Database
  let reader: RowReader
  private let whenReleased: (@Sendable (Database) -> Void)?

  /// Takes a database; `whenReleased` is called when nobody uses the store any more.
  init(_ database: Database, whenReleased: (@Sendable (Database) -> Void)? = nil) {
    self.database = database
    self.whenReleased = whenReleased
    reader = RowReader(database)
  }

  deinit { whenReleased?(database) }

  var isClosed: Bool { database.isClosed }

  /// Closes the database for all who use it, which ends their feeds.
  func close() throws { try database.close() }
}
