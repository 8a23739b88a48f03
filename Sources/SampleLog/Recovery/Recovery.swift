/// The result of recovering a store directory.
struct Recovered: Sendable {
  var storeID: Identifier
  var epoch: UInt32
  var end: UInt64
  var floor: UInt64 = 0
  var segments: [Segment] = []
  var memTables: [MemTable] = []
  /// The log of each memtable.
  var logs: [LogExtent] = []
  var deleted = DeletionVector()
  var settings = Settings()
  var damages: [Damage] = []
  /// The logs and segments in the directory.
  var names: Set<String> = []
  /// The earlier epochs and their last sequence numbers in this store.
  var lineage: Lineage { settings.lineage }
  /// Whether the directory is a replica's.
  var isReplica = false
  var identity: StoreIdentity {
    StoreIdentity(storeID: storeID, epoch: epoch, lineage: lineage, isReplica: isReplica)
  }
  nonisolated(unsafe) var writer: LogWriter?
  /// The newest log and its file, until recovery decides how to continue writing.
  nonisolated(unsafe) var lastLog: (file: any File, log: LogReader)?
}

/// The recovery of a store's state from the files of its directory.
///
/// There is no manifest: names state the covered sequence numbers, and of files that cover the same
/// numbers the one with the highest generation is current. Files of other stores and of other
/// copies of this one are reported as damage and hide nothing. Files are removed only after
/// everything else has been verified.
struct Recovery {
  let path: String
  let mode: OpenMode
  let options: Database.Options
  let fileSystem: any FileSystem
  let symbols: SymbolTable
  /// The segments that are already open, by name.
  var known: [String: Segment] = [:]
  /// The memory budget for the indexes of newly opened segments.
  var indexMemory: IndexMemory?
  /// The receiver of damage events of newly opened segments.
  var events: EventSink?
  /// The last sequence number to recover; recovery ignores everything after it.
  private(set) var through = UInt64.max
  private(set) var leftovers: [String] = []
  private(set) var damages: [Damage] = []
  /// The files of other stores and of other copies of this one.
  private(set) var strangers: [Damage] = []
  /// The open files of this run, so that none is opened again after its header was read.
  private(set) var files: [String: any File] = [:]

  mutating func run() throws -> Recovered {
    files = [:]
    defer { files = [:] }
    let names = try fileSystem.list(path) ?? []
    guard var recovered = try read(names) else {
      guard mode == .readWrite else { throw StoreError.notAStore(path: path) }
      return try begin()
    }
    if names.contains(FileNames.backup) { try checkBackup(recovered) }
    recovered.damages = damages
    recovered.names = Set(names.filter(FileNames.isData))
    recovered.isReplica = names.contains(FileNames.replica)
    if let first = damages.first, !options.toleratesDamage {
      throw StoreError(first)
    }
    if mode == .readWrite { try continueWriting(&recovered, names) }
    return recovered
  }

  /// Reads the files of a directory, except those of other copies of the store.
  ///
  /// - Returns: nil if there are no files.
  private mutating func read(_ names: [String]) throws -> Recovered? {
    let all = try DataFiles(names) { try origin($0) }
    strangers = all.strangers
    // Segments that hide the newest log are read only if that log's epoch includes theirs.
    var others = all.hidingNewestLog
    let files = others.isEmpty ? all : try DataFiles(names.without(others)) { try origin($0) }
    guard var recovered = try read(files) else { return nil }
    let found = try otherCopies(all, files, recovered)
    if found != others {
      others = found
      let rest = try DataFiles(names.without(others)) { try origin($0) }
      guard let own = try read(rest) else { return nil }
      recovered = own
    }
    strangers += others.sorted().map {
      Damage(file: $0, offset: 0, reason: "the file is of another copy of the store")
    }
    damages = strangers + damages
    return recovered
  }

  private mutating func read(_ files: DataFiles) throws -> Recovered? {
    leftovers = files.leftovers
    damages = files.damages
    let segments = try openSegments(files)
    let logs = try openLogs(files)
    if segments.isEmpty, logs.isEmpty, damages.isEmpty, strangers.isEmpty { return nil }
    return try assemble(segments, logs, of: family(segments, logs))
  }

  private mutating func origin(_ name: String) throws -> FileOrigin {
    if let segment = known[name] { return FileOrigin(segment.header) }
    return try FileOrigin(of: name, open(name))
  }

  private mutating func open(_ name: String) throws -> any File {
    if let file = files[name] { return file }
    let file = try fileSystem.open(path + "/" + name, .read)
    files[name] = file
    return file
  }

  /// Reads a directory to which another process may be writing, until the result is stable.
  ///
  /// Files that are created or removed between listing and opening, and frames that are written
  /// while the log is read, look like damage, but not the same damage twice.
  mutating func runSteadily() throws -> Recovered {
    var last: (names: Set<String>?, complaint: String)?
    var attempts = 0
    while true {
      attempts += 1
      through = .max
      let result = Result { try runDurably() }
      let names = (try fileSystem.list(path)).map { Set($0.filter(FileNames.isData)) }
      let complaint: String
      switch result {
      case .success(let recovered):
        if damages.isEmpty, recovered.names == names || attempts > 20 { return recovered }
        complaint = "\(damages)"
      case .failure(let error): complaint = "\(error)"
      }
      // A writer that seals often can make many attempts fail.
      if attempts > 1_000 || (last?.names == names && last?.complaint == complaint) {
        return try result.get()
      }
      last = (names, complaint)
    }
  }

  /// Reads everything, but only the durable part of the newest log.
  private mutating func runDurably() throws -> Recovered {
    let recovered = try run()
    guard let log = recovered.lastLog?.log, try !log.makeDurable() else { return recovered }
    through = log.durableThrough
    return try run()
  }

  // MARK: Finding files

  private mutating func openSegments(_ files: DataFiles) throws -> [Segment] {
    var segments: [Segment] = []
    var expected: UInt64 = 1
    for file in files.segments {
      if file.first != expected {
        report(file.name, 0, "sequence numbers \(expected) to \(file.first - 1) are missing")
      }
      expected = file.last + 1
      if let segment = known[file.name] {
        segments.append(segment)
        continue
      }
      do {
        let segment = try Segment(
          file: open(file.name), name: file.name, symbols: symbols, indexMemory: indexMemory,
          events: events)
        guard FileOrigin(segment.header).name == file.name else {
          report(file.name, 0, "the header does not agree with the file's name")
          continue
        }
        segments.append(segment)
      } catch StoreError.damaged(let name, let offset, let reason) {
        report(name, offset, reason)
      }
    }
    return segments
  }

  private mutating func openLogs(_ files: DataFiles) throws -> [LogReader] {
    var logs: [LogReader] = []
    for (name, first) in files.logs {
      do {
        let log = try LogReader(file: open(name), name: name)
        if log.header.first != first {
          report(name, 0, "the header does not agree with the file's name")
          continue
        }
        if logs.isEmpty, first > files.sealed + 1 {
          report(name, 0, "sequence numbers \(files.sealed + 1) to \(first - 1) are missing")
        } else if let last = logs.last, log.header.predecessor?.first != last.header.first {
          report(name, 0, "the log before it, of \(last.name), is not the one it names")
        }
        logs.append(log)
      } catch StoreError.damaged(let name, let offset, let reason) {
        report(name, offset, reason)
      }
    }
    return logs
  }

  mutating func report(_ file: String, _ offset: Int, _ reason: String) {
    damages.append(Damage(file: file, offset: offset, reason: reason))
  }

  private typealias Family = (storeID: Identifier, epoch: UInt32)

  /// Returns the identity of the store that the files belong to, and the newest epoch.
  private func family(_ segments: [Segment], _ logs: [LogReader]) throws -> Family {
    if let log = logs.last { return (log.header.storeID, log.header.epoch) }
    if let segment = segments.last { return (segment.header.storeID, segment.header.epoch) }
    throw StoreError.damaged(
      file: damages[0].file, offset: damages[0].offset, reason: damages[0].reason)
  }

  /// Checks a backup against its record, which detects a missing newest file.
  private mutating func checkBackup(_ recovered: Recovered) throws {
    let file = try fileSystem.open(path + "/" + FileNames.backup, .read)
    let record = try file.bytes(BackupRecord.size, at: 0).flatMap(BackupRecord.init)
    guard let record else { return report(FileNames.backup, 0, "the record makes no sense") }
    if record.storeID != recovered.storeID {
      report(FileNames.backup, 0, "the files are of another store")
    } else if record.end != recovered.end {
      report(
        FileNames.backup, 0,
        "the files end at sequence number \(recovered.end), the backup was made at \(record.end)")
    }
  }

  // MARK: Reading files

  private mutating func assemble(
    _ segments: [Segment], _ logs: [LogReader], of family: Family
  ) throws -> Recovered {
    let sealed = segments.last?.header.last ?? 0
    var recovered = Recovered(storeID: family.storeID, epoch: family.epoch, end: sealed)
    recovered.segments = segments
    recovered.floor = segments.map(\.header.floor).max() ?? 0
    for segment in segments {
      for setting in segment.settings { recovered.settings.keep(setting) }
    }
    try readDeletions(segments, &recovered)
    for number in logs.indices {
      let successor = number + 1 < logs.count ? logs[number + 1].header : nil
      try replay(logs[number], successor, &recovered)
    }
    try readErased(&recovered)
    return recovered
  }

  private mutating func replay(
    _ log: LogReader, _ successor: LogHeader?, _ recovered: inout Recovered
  ) throws {
    let memTable = MemTable(first: log.header.first, symbols: symbols)
    let homes = DeletionHomes(recovered.segments.map(\.header))
    var log = log
    var deleted: [UInt64] = []
    var settings: [Setting] = []
    try log.read(
      limit: successor?.predecessor, below: successor?.first ?? FileNames.greatest,
      through: through
    ) { frame, bytes in
      guard let payload = CommitPayload(bytes, in: frame, symbols) else { return false }
      memTable.append(payload, first: frame.first, time: frame.time, isIndexed: false)
      for (row, target) in payload.deletions.target.enumerated()
      where homes.mayHave(target, deletedAt: frame.first + UInt64(row)) {
        deleted.append(target)
      }
      settings += payload.settings(first: frame.first)
      return true
    }
    damages += log.damages
    if let successor { try checkEpochStart(successor, after: log) }
    recovered.deleted.insert(deleted)
    for setting in settings { recovered.settings.keep(setting) }
    recovered.memTables.append(memTable)
    recovered.logs.append(LogExtent(file: log.file, name: log.name, end: log.end))
    recovered.end = log.end.last
    if successor == nil {
      let file =
        try mode == .readWrite ? fileSystem.open(path + "/" + log.name, .update) : log.file
      recovered.lastLog = (file, log)
    }
  }

  // MARK: Resuming writes

  private func begin() throws -> Recovered {
    var recovered = Recovered(
      storeID: Identifier(high: options.random(), low: options.random()), epoch: 1, end: 0)
    try addLog(&recovered, predecessor: nil)
    return recovered
  }

  private func continueWriting(
    _ recovered: inout Recovered, _ names: [String]
  ) throws {
    // A process may have crashed before it synced new names, which must be durable before recovery
    // builds on them.
    try fileSystem.syncDirectory(path)
    let newest = names.compactMap(FileNames.logFirst).max()
    if let (file, log) = recovered.lastLog, log.damages.isEmpty, log.header.first == newest {
      recovered.writer = try LogWriter(
        file: file, name: log.name, header: log.header, end: log.end, history: log.history,
        durableOffset: log.durableOffset, zeroStep: options.zeroByteCount)
    } else {
      // Do not append to a log whose end is in doubt, or whose successor is unreadable but may
      // become readable: begin a new log, whose header states how far the old one is valid. The
      // damaged file keeps its name for inspection, and its sequence numbers, because a repair may
      // read more of it than recovery does.
      if !damages.isEmpty { recovered.end = try max(recovered.end, lastUnread(names, recovered)) }
      while names.contains(FileNames.log(first: recovered.end + 1)) { recovered.end += 1 }
      let last = recovered.lastLog?.log
      // Lost frames are missing from the chain as well, so a new chain begins.
      let history = damages.isEmpty ? last?.history.value ?? 0 : 0
      try addLog(&recovered, predecessor: last?.end, history: history)
    }
    recovered.lastLog = nil
    // The files that replaced the leftovers may be the damaged ones.
    guard damages.isEmpty else { return }
    let temporary = names.filter(FileNames.isTemporary)
    for name in leftovers + temporary {
      if options.keepsSealedLogs, let first = FileNames.logFirst(name) {
        let kept = path + "/" + FileNames.sealedLog(first: first)
        try? fileSystem.rename(path + "/" + name, to: kept)
      } else {
        try? fileSystem.remove(path + "/" + name)
      }
    }
  }

  private func addLog(
    _ recovered: inout Recovered, predecessor: LogEnd?, history: UInt32 = 0
  ) throws {
    let header = LogHeader(
      storeID: recovered.storeID, epoch: recovered.epoch, first: recovered.end + 1,
      salt: options.random(), predecessor: predecessor, history: history)
    let writer = try LogWriter.create(
      header, in: path, fileSystem: fileSystem, zeroStep: options.zeroByteCount)
    recovered.writer = writer
    recovered.memTables.append(MemTable(first: header.first, symbols: symbols))
    recovered.logs.append(writer.extent)
  }
}

extension [String] {
  fileprivate func without(_ names: Set<String>) -> [String] { filter { !names.contains($0) } }
}

extension CommitPayload {
  /// Decodes a frame's records.
  ///
  /// Returns nil if they are malformed, if their number differs from the header's, or if they
  /// delete a later record.
  init?(_ bytes: [UInt8], in frame: FrameHeader, _ symbols: SymbolTable) {
    guard let payload = bytes.withUnsafeBytes({ CommitPayload($0, symbols: symbols) }),
      payload.recordCount == Int(frame.count),
      payload.deletions.target.allSatisfy({ $0 > 0 && $0 < frame.first })
    else { return nil }
    self = payload
  }

  /// Returns the settings with their sequence numbers in a commit.
  func settings(first: UInt64) -> [Setting] {
    let base = first + UInt64(deletions.count + rows.count)
    return settings.enumerated().map { offset, setting in
      Setting(key: setting.key, value: setting.value, sequence: base + UInt64(offset))
    }
  }
}
