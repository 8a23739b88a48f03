import Foundation
import SampleLog
import Testing

/// Stores that earlier versions wrote remain readable for ever.
@Suite struct FormatTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  /// The format versions that were released so far.
  static let versions = 1...Int(max(LogHeader.version, SegmentHeader.version))

  private static func folder(_ version: Int) -> URL { fixtures.appending(path: "v\(version)") }

  private static func answers(_ version: Int) throws -> String {
    try String(contentsOf: folder(version).appending(path: "answers.txt"), encoding: .utf8)
  }

  /// A copy of a fixture's files in memory.
  private static func copy(_ version: Int) throws -> MemoryFileSystem {
    let fileSystem = MemoryFileSystem()
    fileSystem.createDirectory("store")
    let store = folder(version).appending(path: "store")
    for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
      let bytes = [UInt8](try Data(contentsOf: store.appending(path: name)))
      let file = try fileSystem.open("store/" + name, .create)
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
    return fileSystem
  }

  private static func open(_ fileSystem: MemoryFileSystem, _ mode: OpenMode) throws -> Database {
    try Database(
      path: "store", mode: mode, options: FixtureMaker.options(), fileSystem: fileSystem)
  }

  private static func contents(_ fileSystem: MemoryFileSystem) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in fileSystem.list("store") ?? [] {
      let file = try fileSystem.open("store/" + name, .read)
      contents[name] = try file.bytes(file.size(), at: 0)
    }
    return contents
  }

  /// Describes the first difference of two texts.
  private static func difference(_ found: String, _ expected: String) -> String? {
    let pairs = zip(found.split(separator: "\n"), expected.split(separator: "\n"))
    if let pair = pairs.first(where: { $0 != $1 }) { return "\(pair.0)\ninstead of\n\(pair.1)" }
    return found == expected ? nil : "\(found.count) characters instead of \(expected.count)"
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["WRITE_FIXTURES"] != nil,
      "It writes into the source tree; make fixtures asks for it."))
  func `make fixtures writes the fixture of the newest version`() throws {
    var maker = FixtureMaker()
    try maker.make()
    let folder = Self.folder(Self.versions.upperBound)
    let store = folder.appending(path: "store")
    try? FileManager.default.removeItem(at: store)
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    for (name, content) in try Self.contents(maker.disk.memory) {
      var bytes = content
      // Preallocated zeros carry no data and are most of a log that was not closed.
      if name.hasSuffix(".log") {
        while bytes.last == 0 { bytes.removeLast() }
        bytes += [UInt8](repeating: 0, count: 64 - bytes.count % 8)
      }
      try Data(bytes).write(to: store.appending(path: name))
    }
    // Describes the database that was written to, before reading any of it back.
    let database = try Self.open(maker.disk.memory.copy(), .readOnly)
    try FixtureAnswers(database).text.write(
      to: folder.appending(path: "answers.txt"), atomically: true, encoding: .utf8)
  }

  @Test(arguments: versions)
  func `Each version has a fixture, and it is small`(version: Int) throws {
    let contents = try Self.contents(Self.copy(version))
    #expect(contents.keys.count { $0.hasSuffix(".log") } >= 2)
    #expect(contents.keys.count { $0.hasSuffix("-0000.segment") } >= 2)
    #expect(contents.keys.contains { $0.hasSuffix("-0001.segment") })
    #expect(contents.values.reduce(0) { $0 + $1.count } < 200_000)
  }

  @Test(arguments: versions)
  func `A store of any version returns its original data`(version: Int) throws {
    let fileSystem = try Self.copy(version)
    let before = try Self.contents(fileSystem)
    #expect(try Verification(path: "store", fileSystem: fileSystem).damages == [])
    let database = try Self.open(fileSystem, .readOnly)
    let found = try FixtureAnswers(database).text
    #expect(try Self.difference(found, Self.answers(version)) == nil)
    #expect(try Self.contents(fileSystem) == before)
  }

  @Test(arguments: versions)
  func `A fixture returns the same data opened for writing, sealed, compacted and reopened`(
    version: Int
  )
    throws
  {
    let fileSystem = try Self.copy(version)
    let expected = try Self.answers(version)
    do {
      let database = try Self.open(fileSystem, .readWrite)
      #expect(try Self.difference(FixtureAnswers(database).text, expected) == nil)
      try database.seal()
      #expect(try Self.difference(FixtureAnswers(database).text, expected) == nil)
      try database.compact()
      #expect(try database.statistics().segmentCount == 1)
      #expect(try Self.difference(FixtureAnswers(database).text, expected) == nil)
      try database.close()
    }
    #expect(try Verification(path: "store", fileSystem: fileSystem).damages == [])
    let database = try Self.open(fileSystem, .readWrite)
    #expect(try Self.difference(FixtureAnswers(database).text, expected) == nil)
    let id = try database.save("heartRate", value: 61)
    #expect(try database.snapshot().row(id)?.value == 61)
  }

  @Test(arguments: versions)
  func `The fixture contains every column encoding`(version: Int) throws {
    var found: [Int: Set<UInt8>] = [:]
    for (name, bytes) in try Self.contents(Self.copy(version)) where name.hasSuffix(".segment") {
      func word(_ offset: Int) -> Int {
        (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
      }
      let footer = bytes.count - 168
      for entry in stride(
        from: word(footer + 40), to: word(footer + 40) + word(footer + 48), by: 192)
      {
        var offset = word(entry)
        for column in 0..<11 {
          let length = word(entry + 16 + column * 4) & 0xFFFF_FFFF
          if length > 0 { found[column, default: []].insert(bytes[offset]) }
          offset += length
        }
      }
    }
    let doubles = [0, 1, 2].reduce(into: Set<UInt8>()) { $0.formUnion(found[$1] ?? []) }
    #expect(doubles == [0, 1, 2, 3, 4, 5, 6])
    #expect(found[6] == [0, 1, 2])
    #expect(found[10] == (version == 1 ? [0, 1, 2] : [0, 1, 2, 3]))
    let integers = [3, 4, 5, 7, 8].reduce(into: Set<UInt8>()) { $0.formUnion(found[$1] ?? []) }
    #expect(integers.contains(0) && integers.contains(1))
    #expect(integers.contains { $0 & 0x10 != 0 } && integers.contains { $0 & 0x20 != 0 })
  }
}
