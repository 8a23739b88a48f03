/// The readable contents of a damaged store's log.
struct LogSalvage {
  let name: String
  let first: UInt64
  /// The log's header, or nil if it cannot be read.
  let header: LogHeader?
  let memTable: MemTable
  private(set) var settings: [Setting] = []
  private(set) var targets: [UInt64] = []
  private(set) var deletionCount = 0
  private(set) var end: LogEnd
  private(set) var damages: [Damage] = []
  private(set) var losses: [Loss] = []
  /// Whether a successor confirms that the log ends at ``end``.
  private(set) var isComplete = false
  /// The last sequence number before a successor; ``losses`` covers everything missing through it.
  var reportedThrough: UInt64 = 0

  /// Reads the frames of a log.
  ///
  /// - Parameters:
  ///   - file: The log.
  ///   - name: The name of the file.
  ///   - first: The first sequence number of the log, from its name.
  ///   - limit: The end of the log according to its successor, or nil if there is no successor.
  ///   - storeID: The identity of the store.
  ///   - symbols: The table that interns the names of the rows.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if nothing can be salvaged, and errors
  ///   of the operating system.
  init(
    file: any File, name: String, first: UInt64, limit: LogEnd?, storeID: Identifier,
    symbols: SymbolTable
  ) throws {
    self.name = name
    self.first = first
    memTable = MemTable(first: first, symbols: symbols)
    var reader: LogReader
    var known: LogHeader?
    do {
      reader = try LogReader(file: file, name: name)
      known = reader.header
      guard reader.header.first == first else {
        throw StoreError.damaged(
          file: name, offset: 0, reason: "the header does not agree with the file's name")
      }
    } catch StoreError.damaged(_, let offset, let reason) {
      known = nil
      damages.append(Damage(file: name, offset: offset, reason: reason))
      guard let salt = try Self.salt(file) else {
        throw StoreError.damaged(
          file: name, offset: offset, reason: "\(reason), and there is no frame")
      }
      reader = LogReader(
        file: file, name: name,
        header: LogHeader(storeID: storeID, epoch: 0, first: first, salt: salt, predecessor: nil))
    }
    header = known
    var settings: [Setting] = []
    var targets: [UInt64] = []
    let (memTable, symbols) = (memTable, symbols)
    try reader.read(limit: limit) { frame, bytes in
      guard let payload = CommitPayload(bytes, in: frame, symbols) else { return false }
      memTable.append(payload, first: frame.first, time: frame.time)
      targets += payload.deletions.target
      settings += payload.settings(first: frame.first)
      return true
    }
    self.settings = settings
    self.targets = targets
    deletionCount = targets.count
    end = reader.end
    for gap in reader.gaps {
      losses.append(
        Loss(
          file: name, bytes: gap.bytes,
          sequences: gap.after + 1 < gap.before ? gap.after + 1...gap.before - 1 : nil,
          samples: nil, deletions: nil, reason: "no frame can be read here"))
    }
    isComplete = limit.map { $0.last == end.last } ?? false
    if let limit, limit.last > end.last {
      losses.append(
        Loss(
          file: name, bytes: Int(end.length)..<max(Int(limit.length), Int(end.length)),
          sequences: end.last + 1...limit.last, samples: nil, deletions: nil,
          reason: "the log ends before its successor says"))
    }
  }

  /// Returns the salt of the log's frames, from the first frame with a valid header.
  private static func salt(_ file: any File) throws -> UInt64? {
    let window = LogWindow(file, end: try file.size())
    var offset = LogHeader.size
    while offset + FrameHeader.size <= window.end {
      let bytes = try window.bytes(at: offset, wanted: FrameHeader.size)
      var step = 0
      while step + FrameHeader.size <= bytes.count {
        let salt = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: step + 40, as: UInt64.self))
        let rest = UnsafeRawBufferPointer(rebasing: bytes[step...])
        if FrameHeader(rest, salt: salt) != nil { return salt }
        step += 8
      }
      if step == 0 { return nil }
      offset = try window.nextData(from: offset + step) & ~7
    }
    return nil
  }
}
