/// The identity that a data file's header states.
struct FileOrigin: Sendable {
  var storeID: Identifier
  var epoch: UInt32
  /// The sequence number through which deletions were applied to the file; 0 for a log.
  var deletedThrough: UInt64 = 0
  /// The file name that the header implies.
  var name: String

  init(_ header: SegmentHeader) {
    storeID = header.storeID
    epoch = header.epoch
    deletedThrough = header.deletedThrough
    name = FileNames.segment(
      first: header.first, last: header.last, generation: header.generation)
  }

  init(_ header: LogHeader) {
    storeID = header.storeID
    epoch = header.epoch
    name = FileNames.log(first: header.first)
  }

  /// Reads the header of a log or segment.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``,
  ///   ``StoreError/unsupportedVersion(file:version:)``, or an error of the operating system.
  init(of name: String, _ file: any File) throws {
    if FileNames.logFirst(name) != nil {
      self.init(try LogReader(file: file, name: name).header)
    } else {
      self.init(try SegmentHeader(try Segment.head(of: file, name), file: name))
    }
  }
}

/// The logs and segments of a directory, classified by name and header before any is read, chosen
/// or removed.
///
/// Files of other stores are reported as damage and otherwise ignored. A file with an unreadable
/// header is classified by its name.
struct DataFiles {
  typealias SegmentFile = (name: String, first: UInt64, last: UInt64, generation: UInt32)

  /// The current segments in order; of overlapping ones, those with the highest generation.
  private(set) var segments: [SegmentFile] = []
  /// The current logs, in order.
  private(set) var logs: [(name: String, first: UInt64)] = []
  /// Files left by a crash whose sequence numbers other files cover.
  private(set) var leftovers: [String] = []
  /// Files of other stores.
  private(set) var strangers: [Damage] = []
  /// The damage to other files.
  private(set) var damages: [Damage] = []
  /// The readable headers, by file name.
  private(set) var origins: [String: FileOrigin] = [:]
  /// The last sequence number of any segment, or 0 if there are none.
  private(set) var sealed: UInt64 = 0
  private var unreadable: [String: Damage] = [:]

  /// Classifies files.
  ///
  /// - Parameters:
  ///   - names: The names of the files; other files are ignored.
  ///   - origin: Reads a file's header.
  /// - Throws: Any error that `origin` throws, except damage.
  init(_ names: [String], origin: (String) throws -> FileOrigin) throws {
    let names = names.filter(FileNames.isData).sorted()
    for name in names {
      do {
        origins[name] = try origin(name)
      } catch StoreError.damaged(let file, let offset, let reason) {
        unreadable[name] = Damage(file: file, offset: offset, reason: reason)
      }
    }
    let storeID = storeID(of: names)
    let own = names.filter { origins[$0].map { $0.storeID == storeID } ?? true }
    for name in names where !own.contains(name) {
      strangers.append(Damage(file: name, offset: 0, reason: "the file is of another store"))
    }
    chooseSegments(own)
    chooseLogs(own)
    checkLeftovers()
  }

  /// Returns the store that most files belong to.
  ///
  /// If several have the same number of files, prefers the one with the first sequence number, or
  /// else the one with the newest log.
  private func storeID(of names: [String]) -> Identifier? {
    let first = origins.values.first?.storeID
    if origins.values.allSatisfy({ $0.storeID == first }) { return first }
    let counts = Dictionary(grouping: origins.values, by: \.storeID).mapValues(\.count)
    let most = names.filter { name in
      origins[name].map { counts[$0.storeID] == counts.values.max() } ?? false
    }
    func isFirst(_ name: String) -> Bool {
      FileNames.logFirst(name) == 1 || FileNames.segmentRange(name)?.first == 1
    }
    let name =
      Set(most.filter(isFirst).map { origins[$0]?.storeID }).count == 1
      ? most.first(where: isFirst) : most.last { FileNames.logFirst($0) != nil } ?? most.last
    return name.flatMap { origins[$0]?.storeID }
  }

  /// The segments that cover the newest log but belong to another epoch.
  var hidingNewestLog: Set<String> {
    let logs = leftovers.filter { FileNames.logFirst($0) != nil } + self.logs.map(\.name)
    guard let newest = logs.max(), let first = FileNames.logFirst(newest),
      let epoch = origins[newest]?.epoch
    else { return [] }
    return Set(
      segments.filter { $0.last >= first && (origins[$0.name]?.epoch ?? epoch) != epoch }
        .map(\.name))
  }

  private mutating func chooseSegments(_ names: [String]) {
    let files = names.compactMap { name in
      FileNames.segmentRange(name).map { (name, $0.first, $0.last, $0.generation) as SegmentFile }
    }
    sealed = files.map(\.last).max() ?? 0
    for file in files.sorted(by: { $0.generation > $1.generation }) {
      let winner = segments.first { $0.first <= file.last && file.first <= $0.last }
      guard let winner else {
        segments.append(file)
        continue
      }
      leftovers.append(file.name)
      // Neither of the two can be preferred.
      if winner.generation == file.generation {
        damages.append(
          Damage(
            file: file.name, offset: 0,
            reason: "\(winner.name), of the same generation, has the same sequence numbers"))
      }
    }
    segments.sort { $0.first < $1.first }
  }

  private mutating func chooseLogs(_ names: [String]) {
    for name in names {
      guard let first = FileNames.logFirst(name) else { continue }
      if first <= sealed { leftovers.append(name) } else { logs.append((name, first)) }
    }
  }

  /// Checks that the headers of the files to be removed match their names.
  private mutating func checkLeftovers() {
    for name in leftovers {
      if let damage = unreadable[name] {
        damages.append(damage)
      } else if origins[name]?.name != name {
        damages.append(
          Damage(file: name, offset: 0, reason: "the header does not agree with the file's name"))
      }
    }
  }
}
