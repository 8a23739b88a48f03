import FoundationEssentials
import SampleLog
import Testing

/// The losses that repairing and restoring report, and the files that failures leave.
@Suite final class SalvageTests {
  private let files = MemoryFileSystem()

  private func open(_ path: String = "store", on disk: (any FileSystem)? = nil) throws -> Database {
    try Database(path: path, options: testOptions(), fileSystem: disk ?? files)
  }

  private func names(_ suffix: String, in path: String = "store") -> [String] {
    (files.list(path) ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try files.open(path, .read)
    return try file.bytes(file.size(), at: 0) ?? []
  }

  private func repair() throws -> RepairReport {
    try Database.repair(from: "store", to: "repaired", options: testOptions(), fileSystem: files)
  }

  @Test
  func `A log that ends before the position its successor states reports the rest as lost`() throws
  {
    let disk = FaultyFileSystem(files)
    let database = try open(on: disk)
    for value in 1...3 { try database.save(value: Double(value)) }
    disk.faults = .sync
    #expect(throws: StoreError.self) { try database.save(value: 99) }
    disk.faults = []
    try database.save(value: 4)
    try database.close()
    #expect(names(".log").count == 2)
    let log = try files.open("store/" + names(".log")[0], .update)
    let second = LogHeader.size + (try #require(try frameLength(log)))
    try log.truncate(to: second)
    let report = try repair()
    #expect(report.losses.map(\.sequences) == [2...3])
    #expect(report.losses.map(\.bytes?.lowerBound) == [second])
    #expect(report.losses.map(\.reason) == ["the log ends before its successor says"])
    #expect(try open("repaired").values() == [1, 4])
  }

  private func frameLength(_ log: any File) throws -> Int? {
    let header = try LogHeader(try log.bytes(LogHeader.size, at: 0) ?? [], file: "log")
    return try log.bytes(FrameHeader.size, at: LogHeader.size)?.withUnsafeBytes {
      FrameHeader($0, salt: header.salt)?.frameLength
    }
  }

  @Test func `Unreadable subscription positions are reported as a separate loss`() throws {
    let database = try open()
    try database.save(value: 1)
    try database.acknowledge("reader", through: 1)
    try database.seal()
    try database.close()
    let name = try #require(names(".segment").first)
    let content = try bytes("store/" + name)
    let key = Array("subscription/".utf8)
    let place = try #require(
      content.indices.first { content[$0...].starts(with: key) }, "settings are stored unencoded")
    try [~content[place]].withUnsafeBytes {
      try files.open("store/" + name, .update).write($0, at: place)
    }
    let report = try repair()
    #expect(
      report.losses.map(\.reason) == ["settings and acknowledgements cannot be read"])
    #expect(report.losses.first?.bytes?.contains(place) == true)
    let repaired = try open("repaired")
    #expect(try repaired.values() == [1])
    #expect(repaired.acknowledgements == [:])
  }

  @Test func `A log of another store is reported as lost, and none of its commits are recovered`()
    throws
  {
    for (path, value) in [("store", 1.0), ("other", 7)] {
      let database = try open(path)
      for step in 0..<3 {
        try database.save(value: value + Double(step))
        if step < 2 { try database.seal() }
      }
      try database.close()
    }
    let name = try #require(names(".log").first)
    try files.remove("store/" + name)
    let file = try files.open("store/" + name, .create)
    try bytes("other/" + name).withUnsafeBytes { try file.write($0, at: 0) }
    let report = try repair()
    #expect(report.losses.map(\.file) == [name])
    #expect(report.losses.first?.reason.contains("of another store") == true)
    #expect(try open("repaired").values() == [1, 2])
  }

  @Test func `A restore or repair that fails at any write or sync leaves no files behind`() throws {
    let database = try open()
    for value in 1...3 {
      try database.save(value: Double(value))
      if value < 3 { try database.seal() }
    }
    try database.backup(to: "backup")
    try database.close()
    let before = Set(files.list("backup") ?? [])
    for isRepair in [false, true] {
      var failures = 0
      for number in 0... {
        let disk = HookedFileSystem(files)
        var left = number
        disk.before = { operation, path in
          // Failures of the cleanup itself are excluded.
          guard ["write", "sync", "create"].contains(operation), path.hasPrefix("new") else {
            return
          }
          left -= 1
          if left < 0 { throw FaultyFileSystem.error }
        }
        do {
          if isRepair {
            _ = try Database.repair(
              from: "backup", to: "new", options: testOptions(), fileSystem: disk)
          } else {
            try Database.restore(
              from: "backup", to: "new", options: testOptions(), fileSystem: disk)
          }
          break
        } catch {
          failures += 1
          #expect(error as? StoreError == FaultyFileSystem.error)
          #expect(files.list("new") ?? [] == [])
        }
      }
      #expect(failures > 6)
      #expect(try open("new").values() == [1, 2, 3])
      for name in files.list("new") ?? [] { try files.remove("new/" + name) }
    }
    #expect(Set(files.list("backup") ?? []) == before)
  }
}
