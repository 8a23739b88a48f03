/// The files of a damaged directory that a repair takes, chosen and read.
struct RepairSources {
  /// One file and the sequence numbers that it covers.
  enum Piece {
    case segment(SegmentSalvage)
    case log(LogSalvage)

    var first: UInt64 {
      switch self {
      case .segment(let salvage): salvage.segment.header.first
      case .log(let salvage): salvage.first
      }
    }

    /// The last sequence number known to be in it.
    var last: UInt64 {
      switch self {
      case .segment(let salvage): salvage.segment.header.last
      case .log(let salvage): max(salvage.end.last, salvage.first - 1)
      }
    }
  }

  /// A file of which nothing can be saved.
  struct Unusable {
    var name: String
    var size: Int
    var first: UInt64
    /// Nil for a log, whose end is in its frames.
    var last: UInt64?
    var damage: Damage
  }

  let path: String
  let fileSystem: any FileSystem
  let symbols = SymbolTable()
  private(set) var pieces: [Piece] = []
  private(set) var unusable: [Unusable] = []
  private(set) var storeID: Identifier?
  private(set) var epoch: UInt32?
  private(set) var fileCount = 0
  /// Where a backup says that it ends.
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
    try chooseSegments(data)
    try chooseLogs(data)
    pieces.sort { $0.first < $1.first }
    // The newest file that tells is right about the epoch.
    epoch =
      pieces.last { if case .log(let log) = $0 { log.header != nil } else { true } }
      .flatMap { piece in
        switch piece {
        case .segment(let salvage): salvage.segment.header.epoch
        case .log(let salvage): salvage.header?.epoch
        }
      }
  }

  private func covers(_ first: UInt64, _ last: UInt64) -> Bool {
    pieces.contains { $0.first <= last && first <= $0.last }
  }

  /// Takes the highest generation of each range that can be read; a lower one if it cannot.
  private mutating func chooseSegments(_ names: [String]) throws {
    let files = names.compactMap { name in FileNames.segmentRange(name).map { (name, $0) } }
      .sorted { ($0.1.generation, $0.1.first) > ($1.1.generation, $1.1.first) }
    var found: [SegmentSalvage] = []
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
        pieces.append(.segment(salvage))
        found.append(salvage)
      } catch StoreError.damaged(_, let offset, let reason) {
        unusable.append(
          Unusable(
            name: name, size: try file.size(), first: range.first, last: range.last,
            damage: Damage(file: name, offset: offset, reason: reason)))
      }
    }
    let logs = names.filter { FileNames.logFirst($0) != nil }.compactMap { name in
      try? LogReader(file: fileSystem.open(path + "/" + name, .read), name: name).header.storeID
    }
    keepOneStore(found.map(\.segment.header.storeID) + logs)
  }

  /// Files of another store, fewer ones, are no use.
  private mutating func keepOneStore(_ ids: [Identifier]) {
    let counts = Dictionary(grouping: ids, by: \.self).mapValues(\.count)
    storeID = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    for piece in pieces {
      guard case .segment(let salvage) = piece, salvage.segment.header.storeID != storeID else {
        continue
      }
      unusable.append(
        Unusable(
          name: salvage.segment.name, size: salvage.segment.fileSize, first: piece.first,
          last: piece.last,
          damage: Damage(
            file: salvage.segment.name, offset: 16, reason: "the file is of another store")))
    }
    pieces.removeAll { piece in
      guard case .segment(let salvage) = piece else { return false }
      return salvage.segment.header.storeID != storeID
    }
  }

  /// Takes the logs that no segment covers, each up to where its successor says that it ends.
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
    if storeID == nil { storeID = headers.compactMap(\.self).first?.storeID }
    let identity = storeID ?? Identifier(high: 0, low: 0)
    for (index, (name, first)) in files.enumerated() {
      let file = try fileSystem.open(path + "/" + name, .read)
      do {
        if let header = headers[index], header.storeID != identity {
          throw StoreError.damaged(file: name, offset: 16, reason: "the file is of another store")
        }
        let successor = headers.dropFirst(index + 1).compactMap(\.self)
          .first { $0.predecessor?.first == first }
        var salvage = try LogSalvage(
          file: file, name: name, first: first, limit: successor?.predecessor, storeID: identity,
          symbols: symbols)
        if let successor { salvage.told = successor.first - 1 }
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
