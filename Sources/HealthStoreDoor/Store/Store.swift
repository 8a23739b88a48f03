import CDoor
import HealthStore
import SampleLog
import Synchronization

/// A store that is open for reading, possibly concurrently with a writer in another process.
final class Store: Sendable {
  let database: Database
  let reader: RowReader
  let texts: SymbolTexts
  private let directory = Mutex<Directory?>(nil)
  /// The file status before the latest refresh, or nil if it is unknown.
  private let trace = Mutex<DirectoryTrace?>(nil)

  init(path: String) throws {
    database = try Database(path: path, mode: .readOnly)
    reader = RowReader(database)
    texts = SymbolTexts(reader, database.symbols)
  }

  /// Returns a snapshot of all commits that are visible now.
  func snapshot() throws -> Snapshot {
    if database.isClosed { throw StoreError.closed }
    if trace.withLock({ $0?.isCurrent(database.path) }) != true {
      // Taken before the refresh, so that a commit during the refresh changes the trace.
      let now = DirectoryTrace(database.path)
      do {
        try database.refresh()
      } catch StoreError.anchorOfAnotherStore, StoreError.anchorFromTheFuture {
        throw StoreError.replaced(path: database.path)
      }
      trace.withLock { $0 = now }
    }
    return database.snapshot()
  }

  /// Whether the directory still holds the store that was opened.
  var isInPlace: Bool {
    do {
      _ = try snapshot()
      return true
    } catch {
      return false
    }
  }

  /// Returns the series of a snapshot.
  func directory(of snapshot: Snapshot) -> Directory {
    directory.withLock { known in
      if let known, known.end == snapshot.end { return known }
      let made = Directory(snapshot)
      known = made
      return made
    }
  }

  /// Returns the series of a recent snapshot, which suffices for estimates.
  func recentDirectory() -> Directory {
    if let known = directory.withLock({ $0 }) { return known }
    return directory(of: database.snapshot())
  }
}

/// The series of a snapshot and their approximate sizes.
struct Directory: Sendable {
  let end: UInt64
  /// The series, by type and then subject.
  let series: [SeriesKey]
  let counts: [SeriesKey: Int]
  let total: Int
  let subjectCount: Int
  let typeCounts: [Symbol: Int]
  /// The series with the most rows, or nil if there are no series.
  let largest: SeriesKey?

  init(_ snapshot: Snapshot) {
    end = snapshot.end
    counts = snapshot.rowCounts
    series = counts.keys.sorted { ($0.type, $0.subject) < ($1.type, $1.subject) }
    total = counts.values.reduce(0, +)
    subjectCount = Set(series.map(\.subject)).count
    var types: [Symbol: Int] = [:]
    for (key, count) in counts { types[key.type, default: 0] += count }
    typeCounts = types
    largest = counts.max { $0.value < $1.value }?.key
  }
}
