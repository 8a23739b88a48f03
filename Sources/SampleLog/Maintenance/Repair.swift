/// A repair, which writes the readable contents of a damaged directory to a new one.
///
/// Sequence numbers are preserved. Intact files are copied. A damaged segment is rewritten from its
/// readable blocks, a log is written as a segment, and an empty segment replaces missing ranges, so
/// that the new directory has no gaps.
struct Repair {
  private let source: String
  private let sources: RepairSources
  private let options: Database.Options
  private var directory: StagingDirectory
  private var report = RepairReport()
  private var deleted = DeletionVector()
  private var settings = Settings()
  private var reported: Set<String> = []
  private let storeID: Identifier
  private let floor: UInt64
  private let end: UInt64

  init(
    _ sources: RepairSources, of source: String, to destination: String,
    _ options: Database.Options, _ fileSystem: any FileSystem
  ) throws {
    self.source = source
    self.sources = sources
    self.options = options
    storeID =
      sources.storeID ?? Identifier(high: options.random(), low: options.random())
    end = max(
      sources.pieces.map(\.last).max() ?? 0,
      sources.unusable.filter { !$0.isStranger }.compactMap(\.last).max() ?? 0)
    floor = sources.pieces.reduce(0) { floor, piece in
      guard case .segment(let salvage) = piece else { return floor }
      return max(floor, salvage.segment.header.floor)
    }
    report.fileCount = sources.fileCount
    report.end = end
    directory = try StagingDirectory(destination, fileSystem)
  }

  /// Runs the repair; the destination is complete when this returns.
  mutating func run() throws -> RepairReport {
    do {
      try collectDeletions()
      try collectErased()
      try writePieces()
      try conclude()
      try directory.markPublished(as: source)
      try Database.check(directory, end: end + 1 + UInt64(loweredAcknowledgements().count))
      try directory.finish(asBackup: false)
      return report
    } catch {
      directory.discard()
      throw error
    }
  }

  // MARK: Reading

  /// Collects the deletions, so that rewritten files omit the deleted samples.
  private mutating func collectDeletions() throws {
    for piece in sources.pieces {
      switch piece {
      case .log(let log):
        deleted.insert(log.targets)
        for setting in log.settings { settings.keep(setting) }
      case .segment(let salvage):
        for setting in salvage.segment.settings { settings.keep(setting) }
        for index in 0..<salvage.segment.blockCount where !salvage.segment.isSample(index) {
          // The loss is reported when the block is written.
          guard let block = salvage.block(index) else { continue }
          deleted.insert((0..<block.count).map { block.target[$0] })
        }
      }
    }
  }

  /// Adds the samples of erased subjects to the deleted ones.
  private mutating func collectErased() throws {
    let erasures = settings.erasures(sources.symbols)
    if erasures.isEmpty { return }
    for piece in sources.pieces {
      switch piece {
      case .log(let log): deleted.insert(try log.memTable.sequences(erasedBy: erasures))
      case .segment(let salvage):
        for index in 0..<salvage.segment.blockCount where salvage.segment.isSample(index) {
          guard let block = salvage.block(index) else { continue }
          salvage.segment.forEachSeries(inBlock: index, rows: 0..<block.count) { _, rows in
            guard let erasure = erasures[block.subject(at: rows.lowerBound)] else { return }
            deleted.insert(erasure.sequences(in: block, rows))
          }
        }
      }
    }
  }

  // MARK: Writing

  private mutating func writePieces() throws {
    var next: UInt64 = 1
    var reportedThrough: UInt64 = 0
    for (index, piece) in sources.pieces.enumerated() {
      let following = index + 1 < sources.pieces.count ? sources.pieces[index + 1].first : end + 1
      if piece.first > next { try fill(next...piece.first - 1, reportedThrough: reportedThrough) }
      switch piece {
      case .segment(let salvage): try write(salvage)
      case .log(let log): try write(log, through: log.isComplete ? following - 1 : piece.last)
      }
      next = max(next, piece.last + 1)
      if case .log(let log) = piece {
        if log.isComplete { next = following }
        reportedThrough = log.reportedThrough
      }
    }
    if next <= end { try fill(next...end) }
    for file in sources.unusable where !reported.contains(file.name) {
      if file.last == nil {
        // The file is a log that begins after all salvaged records.
        lose(file, nil)
      } else {
        // An older file has the same contents.
        report.mended.append(file.damage)
      }
    }
    if let recorded = sources.recordedEnd, recorded > end {
      report.losses.append(
        Loss(
          file: "", bytes: nil, sequences: end + 1...recorded, samples: nil, deletions: nil,
          reason: "the backup was made with files that are missing"))
    }
  }

  private mutating func lose(_ file: RepairSources.Unusable, _ range: ClosedRange<UInt64>?) {
    reported.insert(file.name)
    report.losses.append(
      Loss(
        file: file.name, bytes: 0..<file.size, sequences: range, samples: nil, deletions: nil,
        reason: "byte \(file.damage.offset): \(file.damage.reason)"))
  }

  /// Writes an empty segment for a range that no readable file covers.
  ///
  /// Reports losses after `reportedThrough`.
  private mutating func fill(_ range: ClosedRange<UInt64>, reportedThrough: UInt64 = 0) throws {
    var next = max(range.lowerBound, reportedThrough + 1)
    for file in sources.unusable.sorted(by: { $0.first < $1.first }) {
      let last = min(file.last ?? range.upperBound, range.upperBound)
      guard file.first <= range.upperBound, last >= next else { continue }
      if file.first > next { miss(next...file.first - 1) }
      lose(file, max(file.first, next)...last)
      next = last + 1
    }
    if next <= range.upperBound { miss(next...range.upperBound) }
    try write(first: range.lowerBound, last: range.upperBound, generation: 0) { _ in [] }
  }

  private mutating func miss(_ range: ClosedRange<UInt64>) {
    report.losses.append(
      Loss(
        file: "", bytes: nil, sequences: range, samples: nil, deletions: nil,
        reason: "no file has these sequence numbers"))
  }

  private mutating func write(_ salvage: SegmentSalvage) throws {
    let segment = salvage.segment
    let header = segment.header
    if salvage.damages.isEmpty {
      try directory.add(segment.name, copying: segment.file, length: segment.fileSize)
      report.sampleRows += segment.sampleCount
      report.deletionRows += segment.deletionCount
      return
    }
    var losses: [Loss] = []
    if !salvage.hasControls {
      losses.append(
        Loss(
          file: segment.name,
          bytes: segment.footer[.settings].offset..<segment.footer[.settings].end,
          sequences: nil, samples: 0, deletions: 0,
          reason: "settings and acknowledgements cannot be read"))
    }
    var kept = (samples: 0, deletions: 0)
    try write(first: header.first, last: header.last, generation: header.generation) {
      [deleted] writer in
      for group in segment.groupsInOrder {
        for index in group.blocks {
          guard let block = salvage.block(index, { losses.append($0) }) else { continue }
          for row in 0..<block.count
          where group.kind == .deletion || !deleted.contains(block.sequence[row]) {
            try writer.append(BlockKey(block.key(at: row), group.kind), block, row..<row + 1)
            if group.kind == .sample { kept.samples += 1 } else { kept.deletions += 1 }
          }
        }
      }
      return segment.settings
    }
    report.sampleRows += kept.samples
    report.deletionRows += kept.deletions
    report.losses += losses
    if losses.isEmpty { report.mended += salvage.damages }
  }

  private mutating func write(_ log: LogSalvage, through last: UInt64) throws {
    report.losses += log.losses
    if log.losses.isEmpty { report.mended += log.damages }
    guard last >= log.first else { return }
    var dropped: [UInt64] = []
    try write(first: log.first, last: last, generation: 0) { [deleted] writer in
      try log.memTable.write(to: writer, without: deleted, dropped: &dropped)
      return log.settings
    }
    report.sampleRows += log.memTable.rowCount - log.deletionCount - dropped.count
    report.deletionRows += log.deletionCount
  }

  private mutating func write(
    first: UInt64, last: UInt64, generation: UInt32,
    _ body: (SegmentWriter) throws -> [Setting]
  ) throws {
    // All surviving deletions are applied to this segment, so it belongs to the last epoch.
    let header = SegmentHeader(
      storeID: storeID, epoch: sources.epoch ?? 1, first: first, last: last,
      generation: generation, floor: floor, deletedThrough: end)
    let name = FileNames.segment(first: first, last: last, generation: generation)
    let file = try directory.create(name)
    let writer = try SegmentWriter(file: file, header: header, symbols: sources.symbols)
    let settings = try body(writer)
    _ = try writer.finish(settings: settings)
    try file.sync()
    _ = try Segment(file: file, name: name, symbols: sources.symbols)
  }

  // MARK: The new epoch

  private mutating func conclude() throws {
    report.losses = report.losses.sorted { Self.firstSequence($0) < Self.firstSequence($1) }
    report.anchorsThrough = trustworthy()
    let old = sources.epoch ?? 1
    // If the record of the epochs is lost, their ends are unknown, but files still name the epochs.
    let lineage = settings.lineage
      .including(sources.pieces.compactMap(\.epoch).filter { $0 != old }, end: end)
    report.epoch = lineage.newEpoch(after: old, random: options.random())
    let start = EpochStart(
      storeID: storeID, epoch: report.epoch, end: end, predecessor: nil,
      lineage: lineage.adding(old, through: report.anchorsThrough, end: end),
      settings: loweredAcknowledgements())
    try start.write(into: &directory, options)
  }

  private static func firstSequence(_ loss: Loss) -> UInt64 { loss.sequences?.lowerBound ?? .max }

  /// Returns the last sequence number through which anchors of the damaged store remain valid.
  ///
  /// Repair must preserve every change that a subscriber may have seen, or report it as deleted. An
  /// anchor must therefore precede the first loss. If deletions may be lost, it must also precede
  /// all samples that a lost deletion may have removed permanently: those of files written after
  /// it.
  private func trustworthy() -> UInt64 {
    var result = end
    for loss in report.losses where loss.samples != 0 || loss.deletions != 0 {
      let first = loss.sequences?.lowerBound ?? end + 1
      result = min(result, first - 1)
      guard loss.deletions != 0 else { continue }
      for piece in sources.pieces {
        guard case .segment(let salvage) = piece, salvage.segment.header.deletedThrough >= first
        else { continue }
        result = min(result, salvage.segment.header.first - 1)
      }
    }
    return result
  }

  /// Returns the durable subscriptions and registrations beyond that limit, lowered to it.
  private func loweredAcknowledgements() -> [(key: [UInt8], value: [UInt8])] {
    settings.all.sorted { $0.sequence < $1.sequence }.compactMap { setting in
      if SubjectSetting.delivery.isKind(of: setting.key),
        var registration = DeliveryRegistration(setting.value),
        registration.sequence > report.anchorsThrough
      {
        registration.sequence = report.anchorsThrough
        return (setting.key, registration.encoded)
      }
      guard let acknowledged = Database.acknowledgedSequence(setting),
        acknowledged > report.anchorsThrough
      else {
        return nil
      }
      var writer = ByteWriter()
      writer.fixed(report.anchorsThrough)
      return (setting.key, writer.bytes)
    }
  }
}

extension Database {
  /// Salvages the readable contents of a damaged store into a new one.
  ///
  /// Everything outside damaged blocks and frames is preserved under its sequence number. The
  /// source is not modified, and no process may write to it during the repair. The new store begins
  /// its own epoch: an anchor of the damaged store that has seen data that is, or may be, lost is
  /// rejected with ``StoreError/anchorFromTheFuture(anchor:end:)``. If deletions are lost, samples
  /// that they removed may reappear.
  ///
  /// - Parameters:
  ///   - source: The directory of the damaged store or backup.
  ///   - destination: A directory that does not exist or is empty.
  ///   - options: The clock and the source of random numbers.
  ///   - fileSystem: The file system of both directories.
  /// - Returns: A report of the losses.
  /// - Throws: ``StoreError/locked(path:holder:)`` if a handle writes to the store,
  ///   ``StoreError/notAStore(path:)``, ``StoreError/notEmpty(path:)``,
  ///   ``StoreError/unsupportedVersion(file:version:)``, or an error of the operating system. On
  ///   failure the destination contains none of the created files.
  public static func repair(
    from source: String, to destination: String, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> RepairReport {
    let lock = try keepWritersOut(of: source, fileSystem)
    defer { lock?.release() }
    do {
      let sources = try RepairSources(path: source, fileSystem: fileSystem)
      var repair = try Repair(sources, of: source, to: destination, options, fileSystem)
      return try repair.run()
    } catch StoreError.inputOutput(_, let path, 2, _) where path.hasPrefix(source + "/") {
      // Only a writer removes files; there may have been no lock file by which to detect it.
      throw StoreError.locked(path: source, holder: "another process")
    }
  }

  /// Acquires the writer lock of a directory, so that its files remain while they are read.
  ///
  /// - Returns: The lock, or nil if there is no lock file, as in a backup, or it cannot be locked.
  /// - Throws: ``StoreError/locked(path:holder:)``.
  private static func keepWritersOut(
    of path: String, _ fileSystem: any FileSystem
  ) throws -> (any FileLock)? {
    guard try fileSystem.list(path)?.contains(FileNames.lock) == true else { return nil }
    do {
      return try fileSystem.lock(path + "/" + FileNames.lock)
    } catch StoreError.locked(_, let holder) {
      throw StoreError.locked(path: path, holder: holder)
    } catch {
      return nil
    }
  }
}
