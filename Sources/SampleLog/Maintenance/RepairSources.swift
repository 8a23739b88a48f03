/// The files of a damaged directory that a repair uses.
struct RepairSources {
  /// A salvaged file and the sequence numbers that it covers.
  enum Piece {
    case segment(SegmentSalvage)
    case log(LogSalvage)

    var first: UInt64 {
      switch self {
      case .segment(let salvage): salvage.segment.header.first
      case .log(let salvage): salvage.first
      }
    }

    /// The epoch in which the file was written, or nil if its header is unreadable.
    var epoch: UInt32? {
      switch self {
      case .segment(let salvage): salvage.segment.header.epoch
      case .log(let salvage): salvage.header?.epoch
      }
    }

    /// The last sequence number that the file is known to contain.
    var last: UInt64 {
      switch self {
      case .segment(let salvage): salvage.segment.header.last
      case .log(let salvage): max(salvage.end.last, salvage.first - 1)
      }
    }
  }

  /// A file from which nothing can be salvaged.
  struct Unusable {
    var name: String
    var size: Int
    var first: UInt64
    /// The last sequence number, or nil for a log, whose end is known only from its frames.
    var last: UInt64?
    var damage: Damage
    /// Whether the file belongs to another store or copy, so that its sequence numbers do not
    /// apply.
    var isStranger = false
  }

  let path: String
  let fileSystem: any FileSystem
  let symbols = SymbolTable()
  private(set) var pieces: [Piece] = []
  private(set) var unusable: [Unusable] = []
  private(set) var storeID: Identifier?
  private(set) var epoch: UInt32?
  private(set) var fileCount = 0
  /// The end that the backup's record states, if the directory is a backup.
  private(set) var recordedEnd: UInt64?

  init(path: String, fileSystem: any FileSystem) throws {
    self.path = path
    self.fileSystem = fileSystem
    let names = try fileSystem.list(path) ?? []
    let data = names.filter(FileNames.isData)
    guard !data.isEmpty else { throw StoreError.notAStore(path: path) }
    fileCount = data.count
    if names.contains(FileNames.backup) {
      let file = try fileSystem.open(path + "/" + FileNames.backup, .read)
      recordedEnd = try file.bytes(BackupRecord.size, at: 0).flatMap(BackupRecord.init)?.end
    }
    let own = try leaveOutStrangers(data)
    try chooseSegments(own)
    try chooseLogs(own)
    pieces.sort { $0.first < $1.first }
    // The newest file with a readable header has the current epoch.
    epoch = pieces.compactMap(\.epoch).last
  }

  /// Excludes files of other stores and of other copies of this one, which could hide its own.
  private mutating func leaveOutStrangers(_ names: [String]) throws -> [String] {
    var options = Database.Options()
    options.toleratesDamage = true
    var recovery = Recovery(
      path: path, mode: .readOnly, options: options, fileSystem: fileSystem,
      symbols: SymbolTable())
    do {
      storeID = try recovery.run().storeID
    } catch StoreError.damaged {
      // Even if no header is readable, frames and blocks may be.
    }
    for damage in recovery.strangers {
      let range = FileNames.segmentRange(damage.file)
      unusable.append(
        Unusable(
          name: damage.file, size: try fileSystem.open(path + "/" + damage.file, .read).size(),
          first: range?.first ?? FileNames.logFirst(damage.file) ?? 0, last: range?.last,
          damage: damage, isStranger: true))
    }
    let strangers = Set(recovery.strangers.map(\.file))
    return names.filter { !strangers.contains($0) }
  }

  private func covers(_ first: UInt64, _ last: UInt64) -> Bool {
    pieces.contains { $0.first <= last && first <= $0.last }
  }

  /// Chooses the readable segment with the highest generation for each range.
  private mutating func chooseSegments(_ names: [String]) throws {
    let files = names.compactMap { name in FileNames.segmentRange(name).map { (name, $0) } }
      .sorted { ($0.1.generation, $0.1.first) > ($1.1.generation, $1.1.first) }
    for (name, range) in files {
      guard !covers(range.first, range.last) else { continue }
      let file = try fileSystem.open(path + "/" + name, .read)
      do {
        let salvage = try SegmentSalvage(file: file, name: name, symbols: symbols)
        let header = salvage.segment.header
        guard header.first == range.first, header.last == range.last else {
          throw StoreError.damaged(
            file: name, offset: 0, reason: "the header does not agree with the file's name")
        }
        // A segment whose header is unreadable has a backup header.
        guard header.storeID == storeID ?? header.storeID else {
          throw StoreError.damaged(file: name, offset: 0, reason: "the file is of another store")
        }
        storeID = header.storeID
        pieces.append(.segment(salvage))
      } catch StoreError.damaged(_, let offset, let reason) {
        unusable.append(
          Unusable(
            name: name, size: try file.size(), first: range.first, last: range.last,
            damage: Damage(file: name, offset: offset, reason: reason)))
      }
    }
  }

  /// Chooses the logs that no segment covers, each up to the end that its successor states.
  private mutating func chooseLogs(_ names: [String]) throws {
    let files = names.compactMap { name in FileNames.logFirst(name).map { (name, $0) } }
      .filter { !covers($0.1, $0.1) }.sorted { $0.1 < $1.1 }
    var headers: [LogHeader?] = []
    for (name, _) in files {
      let file = try fileSystem.open(path + "/" + name, .read)
      do {
        headers.append(try LogReader(file: file, name: name).header)
      } catch StoreError.damaged {
        headers.append(nil)
      }
    }
    let identity = storeID ?? Identifier(high: 0, low: 0)
    for (index, (name, first)) in files.enumerated() {
      let file = try fileSystem.open(path + "/" + name, .read)
      do {
        let successor = headers.dropFirst(index + 1).compactMap(\.self)
          .first { $0.predecessor?.first == first }
        var salvage = try LogSalvage(
          file: file, name: name, first: first, limit: successor?.predecessor, storeID: identity,
          symbols: symbols)
        if let successor { salvage.reportedThrough = successor.first - 1 }
        pieces.append(.log(salvage))
      } catch StoreError.damaged(_, let offset, let reason) {
        unusable.append(
          Unusable(
            name: name, size: try file.size(), first: first, last: nil,
            damage: Damage(file: name, offset: offset, reason: reason)))
      }
    }
  }
}
