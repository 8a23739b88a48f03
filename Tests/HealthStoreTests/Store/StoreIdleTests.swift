import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Stores without handles, which stay open for the idle time.
@Suite struct StoreIdleTests {
  private let directory = StoreDirectory()
  private let clock = ManualClock()
  private let registry: StoreRegistry

  init() { registry = StoreRegistry(clock: clock.clock, maximumIdleCount: 3) }

  /// Opens the store, passes it to a function, and releases it.
  @discardableResult
  private func use<Result>(
    _ url: URL? = nil, mode: OpenMode = .readWrite, options: Database.Options = Database.Options(),
    _ body: (OpenStore) throws -> Result
  ) throws -> Result {
    try body(try registry.open(url ?? directory.url, mode: mode, options: options))
  }

  private func save(_ value: Double) throws {
    try use { try $0.save([heartBeat(value)], subject: "") }
  }

  private func identity(_ options: Database.Options = Database.Options()) throws -> ObjectIdentifier
  {
    try use(options: options) { ObjectIdentifier($0.database) }
  }

  /// Whether the directory is locked.
  ///
  /// Takes the lock directly, so that no idle store is closed for it.
  private func isLocked(_ url: URL? = nil) throws -> Bool {
    do {
      try PosixFileSystem().lock((url ?? directory.url).path + "/LOCK").release()
      return false
    } catch StoreError.locked {
      return true
    }
  }

  @Test func `a store stays open for the idle time after its last handle`() throws {
    let first = try identity()
    #expect(try isLocked())
    clock.advance(by: 1.9)
    #expect(try isLocked())
    // The same database is reused, and its idle time restarts.
    #expect(try identity() == first)
    clock.advance(by: 1.9)
    #expect(try identity() == first)
    clock.advance(by: 2)
    registry.settle()
    #expect(try !isLocked())
    #expect(registry.openCount == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test func `the system's clock closes an idle store`() throws {
    let registry = StoreRegistry()
    var options = Database.Options()
    options.idleTimeout = .seconds(0.001)
    _ = try registry.open(directory.url, options: options)
    registry.waitUntilClosed()
    #expect(try !isLocked())
  }

  @Test func `a store in use outlasts any idle time`() throws {
    let store = try registry.open(directory.url)
    try save(60)
    clock.advance(by: 1000)
    registry.settle()
    #expect(!store.isClosed)
    #expect(try isLocked())
  }

  @Test func `the idle time is an option, and zero or less closes the store at once`() throws {
    var options = Database.Options()
    options.idleTimeout = .seconds(10)
    try use(options: options) { _ in }
    clock.advance(by: 9.9)
    #expect(try isLocked())
    clock.advance(by: 0.1)
    registry.settle()
    #expect(try !isLocked())
    for timeout in [0, -1, -1e18] {
      options.idleTimeout = .seconds(timeout)
      try use(options: options) { _ in }
      registry.settle()
      #expect(try !isLocked(), "\(timeout)")
    }
    options.idleTimeout = .seconds(Int64.max)
    try use(options: options) { _ in }
    clock.advance(by: 1e9)
    registry.settle()
    #expect(try isLocked())
    registry.closeAll()
    #expect(try !isLocked())
  }

  @Test func `an idle store is closed for other options and shared for equal ones`() throws {
    var options = Database.Options()
    weak let first = try use { $0.database }
    try use { #expect($0.database === first) }
    options.durability = .buffered
    try use(options: options) { #expect($0.database !== first) }
    #expect(first == nil)
    // A store in use keeps the options of its first handle, and the next must give the same.
    try use(options: options) { store in
      #expect(
        throws: HKStoreOptionsError(
          path: StoreRegistry.canonicalPath(directory.url), options: ["durability"])
      ) { try use { _ in } }
      try use(options: options) { #expect($0.database === store.database) }
      #expect(!store.isClosed)
    }
  }

  @Test func `an idle store is closed when its directory is opened in another mode`() throws {
    try save(60)
    try use(mode: .readOnly) { _ in
      let isLocked = try isLocked()
      #expect(!isLocked)
    }
    weak let reader = try use(mode: .readOnly) { $0.database }
    #expect(reader != nil)
    try save(61)
    #expect(reader == nil)
  }

  @Test(arguments: [false, true])
  func `an idle store is closed for a database of the engine's`(isLinked: Bool) throws {
    try save(60)
    #expect(try isLocked())
    let link = directory.url.path + "-link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: directory.url.path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let database = try Database(path: isLinked ? link : directory.url.path)
    #expect(database.end == 1)
    #expect(throws: HKError.self) { try HKHealthStore(directory: directory.url) }
    try database.close()
    try save(61)
    #expect(try use { $0.database.end } == 2)
  }

  @Test func `a store in use is not closed for a database of the engine's`() throws {
    let store = try registry.open(directory.url)
    #expect(throws: StoreError.self) { try Database(path: directory.url.path) }
    #expect(!store.isClosed)
  }

  @Test func `a directory that was replaced while its store was idle is opened again`() throws {
    try save(60)
    try FileManager.default.removeItem(at: directory.url)
    #expect(try use { $0.database.end } == 0)
    try save(61)
    #expect(try use { $0.database.end } == 1)
    try use(mode: .readOnly) { #expect($0.database.end == 1) }
    try FileManager.default.removeItem(at: directory.url)
    #expect(throws: StoreError.notAStore(path: directory.url.path)) {
      try use(mode: .readOnly) { _ in }
    }
  }

  @Test func `the least recently used of too many idle stores is closed`() throws {
    let urls = (0..<5).map { directory.url.appendingPathComponent("\($0)") }
    for url in urls[..<3] { try use(url) { _ in } }
    try use(urls[0]) { _ in }
    for url in urls[3...] { try use(url) { _ in } }
    registry.settle()
    #expect(try urls.map { try isLocked($0) } == [true, false, false, true, true])
    clock.advance(by: 2)
    registry.settle()
    #expect(registry.openCount == 0)
  }

  @Test func `a store that was closed explicitly is opened again and closed after its idle time`()
    throws
  {
    let store = try registry.open(directory.url)
    try store.close()
    #expect(try !isLocked())
    try save(60)
    try store.close()
    #expect(try isLocked(), "the handle of the closed store closed another")
    #expect(throws: StoreError.closed) { try store.save([heartBeat(61)], subject: "") }
    clock.advance(by: 2)
    registry.settle()
    #expect(try !isLocked())
  }

  @Test func `a directory can be opened once its obstacle is removed`() throws {
    let obstacle = try PosixFileSystem().lock(makeDirectory() + "/LOCK")
    for _ in 0..<2 { #expect(throws: StoreError.self) { try use { _ in } } }
    #expect(registry.openCount == 0)
    obstacle.release()
    try save(60)
  }

  private func makeDirectory() throws -> String {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    return directory.url.path
  }

  @Test func `closing all stores closes idle stores and those in use`() throws {
    let other = directory.url.appendingPathComponent("other")
    let store = try registry.open(directory.url)
    try use(other) { _ in }
    registry.closeAll()
    #expect(store.isClosed)
    #expect(try !isLocked())
    #expect(try !isLocked(other))
  }
}
