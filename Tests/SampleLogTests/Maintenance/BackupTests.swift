import Foundation
import SampleLog
import SampleLogSimulation
import Testing

extension Database {
  /// The live samples of the model's types.
  func records() throws -> Set<Model.Record> {
    let snapshot = snapshot()
    let rows = try Workload.types.flatMap { type in
      try snapshot.select([key(type)], order: .start(ascending: true)).map(Model.Record.init)
    }
    return Set(rows)
  }

  /// Applies the feed after a sequence number to the samples that were live then.
  func fold(_ before: [Model.Record], after sequence: UInt64) throws -> Set<Model.Record> {
    var folded = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.saved) })
    for change in try snapshot().changes(after: Anchor(sequence: sequence)).changes {
      folded[change.row.id] = change.kind == .sample ? Model.Record(change.row) : nil
    }
    return Set(folded.values)
  }
}

/// Backups of stores in use.
@Suite struct BackupTests {
  // 26 seeds of 20 steps: 520 backups.
  @Test(arguments: 0..<Trials.count(26, quick: 4))
  func `A backup at each step of a workload equals the model at its end`(seed: Int) throws {
    var workload = try Workload(seed: UInt64(1000 + seed)) { options in
      options.sealRowCount = [50, 700, 1_000_000][seed % 3]
      options.segmentRowCount = [500, 20_000][seed % 2]
    }
    var random = Seeded(UInt64(seed))
    for step in 0..<20 {
      try workload.step()
      let files = workload.fileSystem
      let path = "backup-\(step)"
      let source =
        Bool.random(using: &random)
        ? workload.database : try Database.inMemory(files, mode: .readOnly)
      let result = try source.backup(to: path, linksFiles: Bool.random(using: &random))
      #expect(result.end == workload.model.end)
      // Later commits must not change the backup.
      try workload.step()
      let backup = try Database(
        path: path, mode: .readOnly, options: testOptions(), fileSystem: files)
      #expect(backup.end == result.end)
      let expected = workload.model.state(result.end)
      #expect(try backup.records() == Set(expected.map(\.saved)))
      let sequence = UInt64.random(in: 0...result.end, using: &random)
      if sequence == 0 || sequence >= backup.snapshot().floor {
        #expect(
          try backup.fold(workload.model.state(sequence), after: sequence)
            == Set(expected.map(\.saved)))
      }
      #expect(try Verification(path: path, fileSystem: files).isGood)
      for name in files.list(path) ?? [] { try files.remove(path + "/" + name) }
    }
  }

  @Test
  func `A backup concurrent with writes, seals and compactions has complete commits only`() throws {
    let files = MemoryFileSystem()
    var options = Database.Options()
    options.sealRowCount = 60
    let database = try Database(path: "store", options: options, fileSystem: files)
    let commits = Locked<[ClosedRange<UInt64>]>([])
    let isDone = Locked(false)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "writers", attributes: .concurrent)
    for writer in 0..<4 {
      queue.async(group: group) {
        for number in 0..<60 {
          var batch = Batch()
          for _ in 0..<7 {
            batch.add(
              subject: database.symbols.intern("ada"), type: database.symbols.intern("heartRate"),
              id: Identifier(UUID()), start: Double(number), end: Double(number),
              value: Double(writer))
          }
          if let range = try? database.commit(batch).sequences {
            commits.withLock { $0.append(range) }
          }
          if number % 20 == 10 { _ = try? database.compact() }
        }
      }
    }
    queue.async {
      group.wait()
      isDone.withLock { $0 = true }
    }
    var ends: [UInt64] = []
    repeat {
      let path = "backup-\(ends.count)"
      ends.append(try database.backup(to: path).end)
    } while !isDone.withLock { $0 } && ends.count < 200
    group.wait()
    #expect(commits.withLock { $0.count } == 240)
    for (number, end) in ends.enumerated() {
      let backup = try Database(
        path: "backup-\(number)", mode: .readOnly, options: testOptions(), fileSystem: files)
      let expected = commits.withLock { $0.filter { $0.upperBound <= end }.flatMap(Array.init) }
      let found = try backup.snapshot().changes(after: .beginning).changes.map(\.sequence)
      #expect(found == expected.sorted())
      #expect(UInt64(found.count) == end, "a commit is incomplete")
    }
    try database.close()
  }

  private func sealedStore(_ files: any FileSystem) throws -> Database {
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    for value in 1...3 {
      try database.save(value: Double(value))
      if value < 3 { try database.seal() }
    }
    return database
  }

  @Test func `A crash at any moment leaves a complete backup or none that opens`() throws {
    let files = HookedFileSystem()
    let database = try sealedStore(files)
    var moments = 0
    var whole = 0
    func look() throws {
      let crashed = files.memory.copy()
      moments += 1
      do {
        let backup = try Database(
          path: "backup", mode: .readOnly, options: testOptions(), fileSystem: crashed)
        #expect(try backup.values() == [1, 2, 3])
        whole += 1
      } catch let error as StoreError {
        #expect(
          error == .isUnfinished(path: "backup") || error == .notAStore(path: "backup"), "\(error)")
      }
    }
    files.before = { _, _ in try look() }
    try database.backup(to: "backup")
    files.before = { _, _ in }
    try look()
    #expect(moments > 10)
    #expect(whole == 2, "complete before the last sync and after it")
  }

  @Test func `A failed backup leaves no files behind and can be repeated`() throws {
    let files = HookedFileSystem()
    let database = try sealedStore(files)
    for step in 1... {
      var count = 0
      files.before = { operation, _ in
        count += 1
        // Cleaning up does not fail.
        if count == step, operation != "link" { throw FaultyFileSystem.error }
      }
      let result = try? database.backup(to: "backup")
      files.before = { _, _ in }
      if result != nil {
        if count < step { break }
        for name in files.list("backup") ?? [] { try files.remove("backup/" + name) }
        continue
      }
      #expect(files.list("backup") ?? [] == [])
      #expect(try database.values() == [1, 2, 3])
      #expect(step < 100)
    }
    #expect(try database.save(value: 4) != Identifier(high: 0, low: 0))
  }

  @Test func `A backup can be read and verified but not written to`() throws {
    let files = MemoryFileSystem()
    let database = try sealedStore(files)
    try database.backup(to: "backup")
    let names = files.list("backup")?.sorted()
    #expect(throws: StoreError.isBackup(path: "backup")) {
      try Database(path: "backup", options: testOptions(), fileSystem: files)
    }
    #expect(files.list("backup")?.sorted() == names)
    #expect(throws: StoreError.notEmpty(path: "backup")) { try database.backup(to: "backup") }
    #expect(throws: StoreError.notEmpty(path: "store")) { try database.backup(to: "store") }
  }

  @Test func `A missing newest file of a backup is detected`() throws {
    let files = MemoryFileSystem()
    try sealedStore(files).backup(to: "backup")
    let log = try #require(files.list("backup")?.first { $0.hasSuffix(".log") })
    try files.remove("backup/" + log)
    let verification = try Verification(path: "backup", fileSystem: files)
    #expect(verification.damages.map(\.file) == ["BACKUP"])
  }

  @Test func `A backup includes buffered commits and truncates a failed log at its valid end`()
    throws
  {
    let disk = FaultyFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    try database.save(value: 1)
    var batch = Batch()
    batch.add(
      subject: database.symbols.intern("ada"), type: database.symbols.intern("heartRate"),
      id: Identifier(UUID()), start: 1, end: 1, value: 2)
    try database.commit(batch, durability: .buffered)
    // The failed commit stays in the file after the end, because no successor can be created.
    disk.faults = [.sync, .create]
    #expect(throws: StoreError.self) { try database.save(value: 3) }
    disk.faults = []
    try database.backup(to: "backup")
    let backup = try Database(
      path: "backup", mode: .readOnly, options: testOptions(), fileSystem: disk.memory)
    #expect(try backup.values() == [1, 2])
  }

  @Test func `On a disk, a backup links segments, and only the owner has access`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/backup-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try Database(path: folder + "/store", options: testOptions())
    for value in 1...2 {
      try database.save(value: Double(value))
      try database.seal()
    }
    let linked = try database.backup(to: folder + "/linked")
    #expect(linked.linkedCount == 2)
    #expect(linked.fileCount == 3)
    let copied = try database.backup(to: folder + "/copied", linksFiles: false)
    #expect(copied.linkedCount == 0)
    #expect(copied.byteCount == linked.byteCount)
    for name in ["linked", "copied"] {
      let directory = folder + "/" + name
      #expect(try mode(directory) == 0o700)
      for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
        #expect(try mode(directory + "/" + file) == 0o600)
      }
      #expect(try Database(path: directory, mode: .readOnly).values() == [1, 2])
    }
    // Compaction removes segments that the backup keeps.
    try database.compact()
    #expect(try Verification(path: folder + "/linked").isGood)
    try database.close()
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
