import SampleLog

/// A closed store to be damaged, with its expected answers.
package struct RotStore: Sendable {
  package let image: DiskImage
  package let regions: [String: FileRegions]
  /// The answers of the intact store.
  package let answers: UInt64
  /// The answers after each number of log frames.
  package let prefixes: [UInt64]
  /// The newest log.
  package let newestLog: String

  package let plan: Plan

  var seed: UInt64 { plan.seed }

  /// The parameters of a store.
  package struct Plan: Hashable, Sendable, CustomStringConvertible {
    /// The seed of the samples.
    package var seed: UInt64
    package var segments: Int
    /// The number of samples per segment.
    package var rows: Int
    /// The number of commits in the log.
    package var commits: Int

    package init(seed: UInt64, segments: Int, rows: Int, commits: Int) {
      self.seed = seed
      self.segments = segments
      self.rows = rows
      self.commits = commits
    }

    /// The plan in the form that ``init(_:)`` parses.
    package var description: String { "\(seed)/\(segments)/\(rows)/\(commits)" }

    package init?(_ text: some StringProtocol) {
      let numbers = text.split(separator: "/").compactMap { UInt64($0) }
      guard numbers.count == 4, numbers[1...].allSatisfy({ $0 <= 10_000 }) else { return nil }
      self.init(
        seed: numbers[0], segments: Int(numbers[1]), rows: Int(numbers[2]),
        commits: Int(numbers[3]))
    }
  }

  /// Creates a store of segments and a log.
  ///
  /// - Parameter plan: The size and the seed.
  /// - Throws: An error of the engine, which would be a bug.
  package init(_ plan: Plan) throws {
    self.plan = plan
    let (seed, segments) = (plan.seed, plan.segments)
    let (rows, commits) = (plan.rows, plan.commits)
    var random = Seeded(seed)
    let disk = SimulatedDisk(isRecording: false)
    let process = disk.process()
    let database = try Self.open(process, seed)
    for _ in 0..<segments {
      try Self.fill(database, rows: rows, &random)
      try Self.acknowledge(database, &random)
      try database.seal()
    }
    var answers = [try Self.answers(of: database)]
    for commit in 0..<commits {
      if commit % 4 == 3 {
        try Self.acknowledge(database, &random)
      } else {
        try Self.fill(database, rows: 1 + commit % 3, &random)
      }
      answers.append(try Self.answers(of: database))
    }
    try database.close()
    process.kill()
    var image = DiskImage()
    for file in disk.visible { image.set(file.name, to: file.bytes) }
    self.image = image
    self.answers = answers[answers.count - 1]
    prefixes = answers
    newestLog = disk.visible.map(\.name).filter { $0.hasSuffix(".log") }.max() ?? ""
    regions = Dictionary(
      uniqueKeysWithValues: image.entries.map { ($0.name, FileRegions(name: $0.name, $0.bytes)) })
  }

  /// The size of the store, in bytes.
  package var byteCount: Int { image.entries.reduce(0) { $0 + $1.bytes.count } }

  static func open(
    _ process: SimulatedProcess, _ seed: UInt64, mode: OpenMode = .readWrite
  ) throws -> Database {
    var workload = Workload([], seed: seed)
    workload.retention = 1 << 20
    var options = Execution.options(workload, Clock(), SaltSource(seed))
    // Published stores keep their sealed logs.
    options.keepsSealedLogs = seed % 2 == 1
    return try Database(
      path: SimulatedProcess.directory, mode: mode, options: options, fileSystem: process)
  }

  private static func fill(_ database: Database, rows: Int, _ random: inout Seeded) throws {
    var batch = Batch()
    let subject = database.symbols.intern(Comparison.subject(0))
    for row in 0..<rows {
      var extras = Extras()
      if random.oneIn(3) { extras.metadata = [1, UInt8(random.below(200))] }
      if random.oneIn(8) {
        extras.syncIdentifier = [UInt8(random.below(20))]
        extras.syncVersion = Int64(database.end) * 1000 + Int64(row)
      }
      let start = Double(random.below(100_000)) / 8
      batch.add(
        subject: subject, type: database.symbols.intern(Comparison.types[random.below(2)]),
        id: Identifier(high: random.next(), low: random.next()), start: start,
        end: start + Double(random.below(4)), value: Double(random.below(2000)) / 10,
        unit: database.symbols.intern(Comparison.unit),
        extras: batch.intern(extras: extras.encoded))
    }
    for change in try database.snapshot().changes(after: .beginning).changes
    where change.kind == .sample && random.oneIn(9) {
      batch.delete(change.row.id)
    }
    try database.commit(batch)
  }

  private static func acknowledge(_ database: Database, _ random: inout Seeded) throws {
    let before = database.acknowledgements["w"] ?? 0
    let position = before + UInt64(random.below(Int(database.end - before)))
    try database.acknowledge("w", through: position)
  }

  /// Returns a hash of all answers: the feed with every column, sorted queries and look-ups.
  static func answers(of database: Database) throws -> UInt64 {
    let snapshot = database.snapshot()
    var hash = mixed(snapshot.end)
    func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25 ^ hash >> 29 }
    let changes = try snapshot.changes(after: .beginning).changes
    for change in changes {
      let (block, row) = (change.row.block, change.row.row)
      mix(change.sequence)
      mix(block.id[row].high ^ block.id[row].low &* 31)
      mix(block.start[row].bitPattern)
      mix(block.end[row].bitPattern &* 3)
      mix(block.value[row].bitPattern &* 5)
      // Symbols are specific to the process, so their names are hashed.
      mix(stableHash(database.symbols.name(block.type)))
      mix(stableHash(database.symbols.name(block.unit[row])))
      if change.kind == .deletion { mix(block.target[row]) }
      for byte in block.extras(at: row) { mix(UInt64(byte)) }
      let found = try snapshot.row(change.row.id)?.sequence
      mix(found ?? 0)
    }
    for type in Comparison.types {
      let key = SeriesKey(
        subject: database.symbols.intern(Comparison.subject(0)),
        type: database.symbols.intern(type))
      for row in try snapshot.select([key], order: .start(ascending: true)) { mix(row.sequence) }
    }
    for (name, position) in database.acknowledgements {
      mix(UInt64(name.utf8.count) << 32 ^ position)
    }
    return hash
  }
}
