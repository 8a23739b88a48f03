import SampleLog
import Testing

/// The calls that the delegates of a database receive, and their order.
@Suite struct DelegateTests {
  /// Records its calls.
  private final class Recorder: DatabaseDelegate {
    enum Call: Equatable {
      case opens(String)
      case closes
      case observed
      case syncs(UInt64)
      case deletes(Int)
    }

    let calls = Locked<[Call]>([])

    func note(_ call: Call) { calls.withLock { $0.append(call) } }
    func databaseWillOpen(at path: String) { note(.opens(path)) }
    func databaseWillClose() { note(.closes) }
    func databaseIsObserved(_ database: Database) { note(.observed) }
    func databaseDidSync(through sequence: UInt64) { note(.syncs(sequence)) }

    func dependentRows(for deletions: RowGroup, in snapshot: Snapshot) throws -> [DependentRow] {
      note(.deletes(deletions.count))
      return []
    }
  }

  @Test
  func `Every delegate is called for observing, deleting, syncing and closing, in order`() throws {
    let database = try Database.inMemory()
    let recorders = [Recorder(), Recorder()]
    for recorder in recorders { database.add(recorder) }
    let observation = database.observe { _ in }
    let second = database.observe { _ in }
    let id = try database.save("weight", start: 0, value: 1)
    try database.delete(id)
    withExtendedLifetime(second) { observation.cancel() }
    try database.close()
    try database.close()
    for recorder in recorders {
      let calls = recorder.calls.withLock { $0 }
      #expect(calls.prefix(4) == [.observed, .syncs(1), .deletes(1), .syncs(2)])
      #expect(calls.filter { $0 == .closes }.count == 1)
      #expect(calls.filter { $0 == .observed }.count == 1)
    }
  }

  @Test func `A process-wide delegate is called for every opening during its lifetime`() throws {
    let path = "/delegates/notified of openings"
    var recorder: Recorder? = Recorder()
    let calls = try #require(recorder).calls
    Database.addOpeningDelegate(try #require(recorder))
    let files = MemoryFileSystem()
    func open() throws { try Database(path: path, fileSystem: files).close() }
    try open()
    try open()
    recorder = nil
    try open()
    #expect(calls.withLock { $0.filter { $0 == .opens(path) } }.count == 2)
  }

  @Test func `A delegate is created once per database`() throws {
    let database = try Database.inMemory()
    let first = database.delegate { Recorder() }
    #expect(database.delegate { Recorder() } === first)
    #expect(try Database.inMemory().delegate { Recorder() } !== first)
  }

  @Test func `A delegate's error fails the commit`() throws {
    final class Refuser: DatabaseDelegate {
      func dependentRows(for deletions: RowGroup, in snapshot: Snapshot) throws -> [DependentRow] {
        throw StoreError.cancelled
      }
    }
    let database = try Database.inMemory()
    database.add(Refuser())
    let id = try database.save("weight", start: 0, value: 1)
    #expect(throws: StoreError.cancelled) { try database.delete(id) }
    #expect(try database.snapshot().row(id) != nil && database.end == 1)
  }
}
