import Foundation
import SampleLog
import Testing

/// Access to a store's directory, and confidential data in errors.
@Suite final class SecurityTests {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/security-\(UUID().uuidString)"
  private var path: String { folder + "/store" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func makeStore() throws {
    let database = try Database(path: path, options: testOptions())
    try database.save(value: 1)
    try database.seal()
    try database.save(value: 2)
    try database.close()
  }

  private func names(_ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(suffix) }
  }

  /// Moves a file out of the store and leaves a symbolic link in its place.
  private func replaceByLink(_ name: String) throws {
    let target = folder + "/elsewhere"
    try FileManager.default.moveItem(atPath: path + "/" + name, toPath: target)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  @Test(arguments: [".log", ".segment", "LOCK"])
  func `A symbolic link among a store's files is refused`(suffix: String) throws {
    try makeStore()
    let name = try #require(try names(suffix).first)
    try replaceByLink(name)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/elsewhere"))
    #expect(throws: StoreError.notAFile(path: path + "/" + name)) {
      try Database(path: path, options: testOptions())
    }
    if suffix != "LOCK" {
      #expect(throws: StoreError.notAFile(path: path + "/" + name)) {
        try Database(
          path: path, mode: .readOnly, options: testOptions { $0.toleratesDamage = true })
      }
      #expect(throws: StoreError.notAFile(path: path + "/" + name)) { try Verification(path: path) }
      #expect(throws: StoreError.notAFile(path: path + "/" + name)) {
        try Database.repair(from: path, to: folder + "/repaired")
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/elsewhere")) == before)
  }

  @Test func `A link in the place of a new file is replaced or refused, never followed`() throws {
    try makeStore()
    let victim = folder + "/victim"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    let database = try Database(path: path, options: testOptions())
    let last = String(database.end, radix: 16)
    let number = String(repeating: "0", count: 16 - last.count) + last
    for name in ["\(number)-\(number)-0000.segment.tmp", "0000000000000003.log.tmp"] {
      try FileManager.default.createSymbolicLink(
        atPath: path + "/" + name, withDestinationPath: victim)
    }
    try database.seal()
    try database.save(value: 3)
    try database.close()
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
  }

  @Test func `A directory or a named pipe in place of a file is refused at once`() throws {
    try makeStore()
    let name = try #require(try names(".log").first)
    try FileManager.default.removeItem(atPath: path + "/" + name)
    try FileManager.default.createDirectory(
      atPath: path + "/" + name, withIntermediateDirectories: false)
    #expect(throws: StoreError.notAFile(path: path + "/" + name)) {
      try Database(path: path, mode: .readOnly)
    }
    try FileManager.default.removeItem(atPath: path + "/" + name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["mkfifo", path + "/" + name]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(throws: StoreError.notAFile(path: path + "/" + name)) {
      try Database(path: path, mode: .readOnly)
    }
  }

  @Test func `A store's directory may be reached through a link`() throws {
    try makeStore()
    let link = folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let database = try Database(path: link, options: testOptions())
    #expect(try database.values() == [1, 2])
    #expect(throws: StoreError.self) { try Database(path: path, options: testOptions()) }
    try database.close()
  }

  @Test func `No name chosen by a client becomes a path`() throws {
    let database = try Database(path: path, options: testOptions())
    for name in ["../../escape", "/escape", "..", "a/b", "LOCK", "x\u{0}y"] {
      try database.save(name, subject: name, unit: name, source: name)
      try database.acknowledge(name, through: 0)
    }
    try database.compact()
    try database.backup(to: folder + "/backup")
    try database.close()
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == ["store", "backup"])
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      #expect(name == "LOCK" || name.hasSuffix(".log") || name.hasSuffix(".segment"))
    }
  }

  @Test func `A path that is too long is an error`() {
    let long = folder + "/" + String(repeating: "x", count: 300)
    let deep = folder + String(repeating: "/" + String(repeating: "y", count: 200), count: 40)
    for path in [long, deep] {
      #expect {
        try Database(path: path)
      } throws: { error in
        guard case .inputOutput(_, _, 36, _) = error as? StoreError else { return false }
        return true
      }
    }
  }

  @Test func `No error reveals a value, metadata, a source or a subject`() throws {
    let files = MemoryFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    var extras = Extras()
    extras.metadata = Array("SECRET-metadata".utf8)
    extras.syncIdentifier = Array("SECRET-sync".utf8)
    var ids: [Identifier] = []
    for row in 0..<40 {
      extras.syncIdentifier = Array("SECRET-sync-\(row)".utf8)
      ids.append(
        try database.save(
          "SECRET-type", subject: "SECRET-subject", start: Double(row), value: 987654.25,
          unit: "SECRET-unit", source: "SECRET-source", extras: extras))
    }
    var errors: [any Error] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { errors.append(error) }
    }
    attempt { try database.save("SECRET-type", value: 987654.25, id: ids[0]) }
    attempt { try database.save("SECRET-type", start: 5, end: 4, value: 987654.25) }
    attempt { try database.save("SECRET-type", start: .nan, value: 987654.25, source: "SECRET") }
    attempt { try database.delete(Identifier(high: 1, low: 2)) }
    attempt {
      try database.save(
        source: "SECRET" + String(repeating: "x", count: StoreLimit.nameBytes.maximum))
    }
    extras.metadata += [UInt8](repeating: 65, count: StoreLimit.extrasBytes.maximum)
    attempt { try database.save(extras: extras) }
    try database.seal()
    try database.close()
    #expect(errors.count == 6)
    let name = try #require(files.list("store")?.first { $0.hasSuffix(".segment") })
    let file = try files.open("store/" + name, .update)
    let bytes = try #require(try file.bytes(file.size(), at: 0))
    for offset in bytes.indices {
      try [bytes[offset] ^ 0x15].withUnsafeBytes { try file.write($0, at: offset) }
      defer { try? [bytes[offset]].withUnsafeBytes { try file.write($0, at: offset) } }
      attempt {
        let store = try Database(
          path: "store", mode: .readOnly, options: testOptions(), fileSystem: files)
        _ = try store.snapshot().changes(after: .beginning)
        _ = try store.snapshot().row(ids[3])
      }
      let verification = try Verification(path: "store", fileSystem: files)
      errors += verification.damages.map {
        StoreError.damaged(file: $0.file, offset: $0.offset, reason: $0.reason)
      }
    }
    #expect(errors.count > bytes.count)
    for error in errors {
      let text = "\(error) \((error as? StoreError).debugDescription)"
      if text.contains("SECRET") || text.contains("987654") {
        Issue.record("the error reveals: \(text)")
      }
    }
  }
}
