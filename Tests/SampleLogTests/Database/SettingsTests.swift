import SampleLogSimulation
import Testing

@testable import SampleLog

/// Settings are stored like samples, and an unchanged value costs nothing.
@Suite struct SettingsTests {
  private let key = Array("person/ada".utf8)

  @Test func `The newest value is found, also after sealing, merging and reopening`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    #expect(try database.setting(key) == nil)
    for round in UInt8(1)...5 {
      try database.set([(key, [round])])
      try database.save(start: Double(round))
      try database.seal()
    }
    #expect(try database.setting(key) == [5])
    try database.compact()
    #expect(try database.setting(key) == [5])
    try database.close()
    let again = try Database.inMemory(files)
    #expect(try again.setting(key) == [5])
    #expect(try again.setting(Array("person/bob".utf8)) == nil)
  }

  @Test func `A segment keeps the settings of its own sequence numbers`() throws {
    let database = try Database.inMemory()
    for round in UInt8(1)...3 {
      try database.set([(key + [round], [round])])
      try database.seal()
    }
    let segments = database.state.withLock { $0.segments }
    #expect(segments.map { $0.settings.map(\.sequence) } == [[1], [2], [3]])
  }

  @Test func `A removed setting stays removed`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    try database.set([(key, [1])])
    try database.save()
    try database.seal()
    try database.set([(key, [])])
    #expect(try database.setting(key) == nil)
    try database.save(start: 1)
    try database.seal()
    try database.compact()
    try database.close()
    #expect(try Database.inMemory(files).setting(key) == nil)
  }

  @Test func `Setting an equal value writes nothing`() throws {
    let database = try Database.inMemory()
    try database.set([(key, [1]), (key + [0], [2])])
    let end = database.snapshot().end
    try database.set([(key, [1]), (key + [0], [2]), (key + [1], [])])
    #expect(database.snapshot().end == end)
    try database.set([(key, [1]), (key + [0], [3])])
    #expect(database.snapshot().end == end + 1)
  }

  @Test func `A reader next to the writer finds a setting after a refresh`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    try database.set([(key, [1])])
    let reader = try Database.inMemory(files, mode: .readOnly)
    #expect(try reader.setting(key) == [1])
    try database.set([(key, [2])])
    #expect(try reader.refresh())
    #expect(try reader.setting(key) == [2])
    try database.save()
    try database.seal()
    try database.set([(key, [3])])
    #expect(try reader.refresh())
    #expect(try reader.setting(key) == [3])
  }

  @Test func `A reader cannot set a value`() throws {
    let files = MemoryFileSystem()
    try Database.inMemory(files).close()
    let reader = try Database.inMemory(files, mode: .readOnly)
    #expect(throws: StoreError.readOnly) { try reader.set([(key, [1])]) }
  }
}
