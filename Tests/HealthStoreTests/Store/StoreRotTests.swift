import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// A damaged store returns correct results or an error that names the file.
@Suite struct StoreRotTests {
  /// A store in memory with every kind of object in two segments and a log.
  private func makeFiles() async throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let database = try Database(path: RotQuestion.path, fileSystem: files)
    let store = HKHealthStore(database: database)
    var old: [HKSample] = []
    for round in 0..<3 {
      let offset = Double(round) * 1000
      var objects: [HKSample] = []
      for number in 0..<4 {
        let metadata: [String: Any] = ["key": "value \(number)", HKMetadataKeyTimeZone: "UTC"]
        objects.append(
          try heartBeat(
            Double(60 + number), at: offset + Double(number),
            metadata: number % 2 == 0 ? metadata : nil,
            device: number == 1 ? HKDevice.local() : nil, source: revision("app.\(number % 2)")))
      }
      objects.append(try RotQuestion.pressure(offset))
      objects.append(try RotQuestion.pressure(offset + 10))
      objects.append(try RotQuestion.sleep(offset))
      objects.append(try RotQuestion.meal(version: round, offset))
      try await store.save(objects)
      if let gone = old.first { try await store.delete(gone) }
      old = objects
      if round < 2 { try database.seal() }
    }
    try database.close()
    return files
  }

  private func ask(
    _ question: RotQuestion, _ files: MemoryFileSystem
  ) async -> Result<String, any Error> {
    do {
      let database = try Database(path: RotQuestion.path, fileSystem: files.copy())
      defer { database.closeIgnoringErrors() }
      return .success(try await question.ask(HKHealthStore(database: database)))
    } catch {
      return .failure(error)
    }
  }

  /// The file that an error names as damaged.
  private func damagedFile(_ error: any Error) -> String? {
    let cause = (error as? HKError)?.userInfo[NSUnderlyingErrorKey] ?? error
    guard case .damaged(let file, _, _)? = cause as? StoreError else { return nil }
    return file
  }

  @Test(arguments: RotQuestion.allCases)
  func `a flipped bit is reported or changes no result`(question: RotQuestion) async throws {
    let files = try await makeFiles()
    let truth = try await ask(question, files).get()
    #expect(truth.count > 20)
    let segments = try #require(files.list(RotQuestion.path)).filter { $0.hasSuffix(".segment") }
    #expect(segments.count == 2)
    var errors = 0
    for name in segments {
      let path = RotQuestion.path + "/" + name
      let size = try files.open(path, .read).size()
      let step = Trials.count(83, quick: 419)
      for bit in stride(from: question.rawValue, to: size * 8, by: step) {
        let copy = files.copy()
        let file = try copy.open(path, .update)
        let byte = try #require(try file.bytes(1, at: bit / 8))[0] ^ 1 << UInt8(bit % 8)
        try [byte].withUnsafeBytes { try file.write($0, at: bit / 8) }
        switch await ask(question, copy) {
        case .success(let answer): #expect(answer == truth, "bit \(bit) of \(name)")
        case .failure(let error):
          errors += 1
          #expect(damagedFile(error) == name, "bit \(bit) of \(name): \(error)")
        }
      }
    }
    // Most bits that the questions read are detected.
    #expect(errors > 50)
  }

  @Test(arguments: RotField.allCases)
  func `invalid bytes with a valid checksum are reported`(
    field: RotField
  ) async throws {
    let database = try Database(path: RotQuestion.path, fileSystem: try await makeFiles())
    let rows = try database.snapshot().changes(after: .beginning).changes.filter {
      $0.kind == .sample
    }
    .map { RotRow($0.row, database.symbols) }
    try database.close()
    var errors = 0
    for type in Set(rows.map(\.type)) {
      let victim = try #require(
        rows.firstIndex { $0.type == type && !field.bytes(of: $0).isEmpty }
          ?? rows.firstIndex { $0.type == type })
      let bits = field.bytes(of: rows[victim]).count * 8
      for bit in stride(from: 0, to: bits, by: Trials.count(1, quick: 3)) {
        var changed = rows
        field.flip(bit, of: &changed[victim])
        errors += try await check(changed, victim, field) ? 1 : 0
      }
    }
    #expect(errors > 10)
  }

  @Test func `plain text of another program is not damage and not HealthKit's`()
    async throws
  {
    let files = try await makeFiles()
    let database = try Database(path: RotQuestion.path, fileSystem: files)
    let change = try #require(
      database.snapshot().changes(after: .beginning).changes.first { $0.kind == .sample })
    var row = RotRow(change.row, database.symbols)
    try database.close()
    (row.source, row.device) = (Array("a watch".utf8), Array("a device".utf8))
    var extras = Extras()
    extras.metadata = Array("{words}".utf8)
    row.extras = extras.encoded
    let other = try Database(path: "/other", fileSystem: MemoryFileSystem())
    try RotRow.save([row], other)
    let type = try #require(HKObjectType.make(identifier: row.type) as? HKSampleType)
    let found = try await HKHealthStore(database: other).read(.sample(type: type))
    let sample = try #require(found.first)
    #expect(sample.metadata == nil && sample.device == nil)
    #expect(sample.sourceRevision == .unknown)
  }

  /// Reads a store with a changed row.
  ///
  /// Returns whether reading failed, as it must if the bytes cannot be decoded.
  private func check(_ rows: [RotRow], _ victim: Int, _ field: RotField) async throws -> Bool {
    let database = try Database(path: "/changed", fileSystem: MemoryFileSystem())
    defer { database.closeIgnoringErrors() }
    do {
      try RotRow.save(rows, database)
    } catch is StoreError {
      // The engine refuses such a row.
      return true
    }
    let row = rows[victim]
    let type = try #require(HKObjectType.make(identifier: row.type) as? HKSampleType)
    let store = HKHealthStore(database: database)
    do {
      let found = try await store.read(.sample(type: type))
      let sample = try #require(found.first { Identifier($0.uuid) == row.id })
      #expect(row.isMeant(by: sample, among: rows), "\(field) of \(row.type)")
      return false
    } catch {
      #expect(damagedFile(error)?.hasSuffix(".log") == true, "\(error)")
      #expect(!row.makesSense, "\(field) of \(row.type): \(error)")
      return true
    }
  }
}

extension Database {
  /// Releases the lock, even if the last commits cannot be made durable.
  func closeIgnoringErrors() { try? close() }
}
