/// The preparation of a commit's records from a batch, validated against one snapshot, on the
/// caller's thread.
struct Preparation {
  let snapshot: Snapshot
  private let options: Database.Options
  var payload = CommitPayload()
  private(set) var result = CommitResult()
  private(set) var syncKeys: [UInt64] = []
  /// The deleted rows that may have child rows, and the rows that receive new ones.
  var parents: Set<Identifier> = []
  /// Rows that the commit refers to and that must not be deleted before it is written.
  private(set) var dependencies: Set<Identifier> = []
  /// The sequence numbers of samples that are deleted without individual records, because their
  /// subject is erased.
  var erased: [UInt64] = []
  /// The sequence numbers of child rows that are deleted with their parents.
  var deletedChildren: Set<UInt64> = []
  /// A cache for the type looked up last: whether it is a ``ChildType``, and whether rows of it
  /// may have child rows even if they have no payload.
  var lastType: (symbol: Symbol, isChild: Bool, hasChildrenWithoutPayload: Bool)?

  init(snapshot: Snapshot, options: Database.Options) {
    self.snapshot = snapshot
    self.options = options
  }

  /// Prepares a batch.
  ///
  /// If `sequences` is given, the commit erases those samples, and the batch's rows may only reuse
  /// the identifiers of rows that the commit removes.
  mutating func prepare(_ batch: Batch, erasing sequences: [UInt64]? = nil) throws {
    try batch.check(snapshot.symbols)
    // Each replacement also writes a deletion, so a commit may have twice as many records.
    try StoreLimit.batchRecords.check(
      batch.rows.count + batch.deletions.count + batch.settings.count,
      allowed: options.batchRecordLimit)
    try Self.check(batch)
    payload.rows = batch.rows
    payload.settings = batch.settings
    dependencies = batch.dependencies
    erased = sequences ?? []
    if batch.ignoresDuplicates { try removeDuplicates() }
    var extras = payload.rows.blobs.map { blob in
      blob.withUnsafeBytes { Extras(withoutContents: $0) }
    }
    let left = try replaceOlderVersions(&extras)
    let grown = try checkParents(extras, without: left)
    if !batch.ignoresDuplicates, sequences == nil { try checkUniqueness() }
    try resolve(batch.deletions, of: batch.deletionSubject)
    try checkStaying(grown)
  }

  /// Appends deletions of samples that are already deleted, or that the erasure removes, after all
  /// other deletions.
  mutating func carryDeletions(_ add: (inout RowGroup) throws -> Void) throws {
    let count = payload.deletions.count
    try add(&payload.deletions)
    payload.carriedDeletionCount += payload.deletions.count - count
    try StoreLimit.batchRecords.check(payload.recordCount, allowed: options.batchRecordLimit)
  }

  /// Returns the encoded payload.
  func stored() throws -> StoredPayload {
    let raw = try payload.encoded(symbols: snapshot.symbols)
    try StoreLimit.batchBytes.check(raw.count, allowed: options.batchByteLimit)
    return StoredPayload(raw)
  }

  private static func check(_ batch: Batch) throws {
    let rows = batch.rows
    guard rows.extras.allSatisfy({ Int($0) <= rows.blobs.count }) else {
      throw StoreError.invalid("A number of extras must be one that the batch gave.")
    }
    for blob in rows.blobs { try StoreLimit.extrasBytes.check(blob.count) }
    for setting in batch.settings {
      let limit =
        Database.isSubscription(setting.key) ? StoreLimit.subscriptionBytes : .settingKeyBytes
      try limit.check(setting.key.count)
    }
    for row in 0..<rows.count {
      let start = rows.start[row]
      let end = rows.end[row]
      // Phrased so that NaN fails the check.
      guard start <= end, start > -.infinity, end < .infinity else {
        throw StoreError.invalid(
          "A sample's dates must be finite and its end not before its start (\(rows.id[row])).")
      }
    }
  }

  /// Skips samples that the store has in the same or a later version, and deletes the versions that
  /// newer samples replace.
  ///
  /// A newer sample takes its predecessor's place in compound objects.
  ///
  /// - Returns: The identifiers of the skipped samples.
  private mutating func replaceOlderVersions(
    _ versions: inout [Extras?]
  ) throws -> Set<Identifier> {
    guard versions.contains(where: { $0?.syncIdentifier.isEmpty == false }) else { return [] }
    var newest: [Versioned: (index: Int, version: Int64)] = [:]
    var left: Set<Int> = []
    /// For each row, the compound objects of the versions that it replaces.
    var inherited: [Int: [Identifier]] = [:]
    for row in 0..<payload.rows.count where payload.rows.extras[row] > 0 {
      guard let extras = versions[Int(payload.rows.extras[row]) - 1],
        !extras.syncIdentifier.isEmpty
      else { continue }
      try StoreLimit.syncIdentifierBytes.check(extras.syncIdentifier.count)
      let key = Versioned(
        series: SeriesKey(subject: payload.rows.subject[row], type: payload.rows.type[row]),
        identifier: extras.syncIdentifier)
      if let other = newest[key] {
        let isOlder = other.version >= extras.syncVersion
        let (older, newer) = isOlder ? (row, other.index) : (other.index, row)
        left.insert(older)
        inherited[newer, default: []] += inherited.removeValue(forKey: older) ?? []
        inherited[newer, default: []] +=
          versions[Int(payload.rows.extras[older]) - 1]?.memberOf ?? []
        if isOlder { continue }
      }
      newest[key] = (row, extras.syncVersion)
    }
    let known = snapshot.symbols.count
    for (key, candidate) in newest.sorted(by: { $0.value.index < $1.value.index }) {
      guard Int(max(key.series.subject, key.series.type)) < known else {
        throw StoreError.unknownSymbol
      }
      syncKeys.append(
        syncKey(
          subject: snapshot.symbols.name(key.series.subject),
          type: snapshot.symbols.name(key.series.type), syncIdentifier: key.identifier))
      guard let stored = try snapshot.row(key.series, syncIdentifier: key.identifier) else {
        continue
      }
      let before = Extras(withoutContents: stored.block.extras(at: stored.row))
      if before?.syncVersion ?? 0 >= candidate.version {
        left.insert(candidate.index)
      } else {
        try delete(stored)
        result.replaced += 1
        inherited[candidate.index, default: []] += before?.memberOf ?? []
      }
    }
    for (row, parents) in inherited.sorted(by: { $0.key < $1.key }) where !left.contains(row) {
      try join(row, parents, &versions)
    }
    result.superseded = left.count
    let ids = Set(left.map { payload.rows.id[$0] })
    if !left.isEmpty { payload.rows = payload.rows.removing(left) }
    return ids
  }

  /// Adds a new row to the compound objects that its older version belonged to.
  private mutating func join(
    _ row: Int, _ parents: [Identifier], _ versions: inout [Extras?]
  ) throws {
    // A child row names its parent only.
    if snapshot.symbols.isChildType(payload.rows.type[row]) { return }
    let blob = payload.rows.blobs[Int(payload.rows.extras[row]) - 1]
    guard var extras = blob.withUnsafeBytes({ Extras($0) }) else { return }
    var known = Set(extras.memberOf)
    let new = parents.filter { known.insert($0).inserted }
    if new.isEmpty { return }
    extras.memberOf += new
    let encoded = extras.encoded
    try StoreLimit.extrasBytes.check(encoded.count)
    payload.rows.blobs.append(encoded)
    payload.rows.extras[row] = UInt32(payload.rows.blobs.count)
    versions.append(encoded.withUnsafeBytes { Extras(withoutContents: $0) })
  }

  private struct Versioned: Hashable {
    var series: SeriesKey
    var identifier: [UInt8]
  }

  private func checkUniqueness() throws {
    // A closure that captures `self` would copy everything else, too.
    let snapshot = snapshot
    try payload.rows.id.withUnsafeBufferPointer { ids in
      // 64-bit hashes distinguish nearly all identifiers, and a set of them costs half as much.
      if ids.count > 1, Set(ids.lazy.map { $0.high ^ $0.low }).count < ids.count {
        var seen: Set<Identifier> = []
        for id in ids where !seen.insert(id).inserted { throw StoreError.duplicate(id) }
      }
      let isAlive = { (sequence: UInt64) in
        sequence <= snapshot.end && !snapshot.deleted.contains(sequence)
      }
      for memTable in snapshot.memTables {
        if let index = memTable.firstMatch(ids, where: isAlive) {
          throw StoreError.duplicate(ids[index])
        }
      }
    }
    if snapshot.segments.isEmpty { return }
    let ids = payload.rows.id
    let piece = 2048
    _ = try parallelMap((ids.count + piece - 1) / piece) { number in
      try ids[(number * piece)..<min((number + 1) * piece, ids.count)]
        .withUnsafeBufferPointer { try Self.checkSegments($0, snapshot) }
    }
  }

  private static func checkSegments(
    _ ids: UnsafeBufferPointer<Identifier>, _ snapshot: Snapshot
  ) throws {
    for segment in snapshot.segments {
      var rest = ids
      while let index = try segment.firstMatch(in: rest) {
        // The segment's index also contains samples that were deleted since.
        if try snapshot.row(rest[index]) != nil { throw StoreError.duplicate(rest[index]) }
        rest = UnsafeBufferPointer(rebasing: rest[(index + 1)...])
      }
    }
  }

  /// Skips samples whose identifier belongs to a live sample or to an earlier sample of the batch.
  private mutating func removeDuplicates() throws {
    let ids = payload.rows.id
    let isKnown = try find(ids) { $1 != nil }
    var seen: Set<Identifier> = []
    for (index, isKnown) in isKnown.joined().enumerated()
    where isKnown || !seen.insert(ids[index]).inserted { result.known.insert(index) }
    if result.known.isEmpty { return }
    var rows = payload.rows.removing(result.known)
    // Extras that only skipped samples have are not written.
    var numbers: [UInt32: UInt32] = [0: 0]
    rows.blobs = []
    for index in rows.extras.indices where numbers[rows.extras[index]] == nil {
      rows.blobs.append(payload.rows.blobs[Int(rows.extras[index]) - 1])
      numbers[rows.extras[index]] = UInt32(rows.blobs.count)
    }
    rows.extras = rows.extras.map { numbers[$0, default: 0] }
    payload.rows = rows
  }

  private mutating func resolve(_ deletions: [Identifier], of subject: Symbol?) throws {
    if deletions.isEmpty { return }
    let wanted = different(deletions)
    let found = try find(wanted) { id, row in
      guard let row, subject == nil || row.subject == subject else {
        throw StoreError.notFound(id)
      }
      return row
    }
    payload.deletions.reserveCapacity(payload.deletions.count + wanted.count)
    for row in found.joined() { try delete(row) }
  }

  /// Returns the results of calling a closure with each identifier and its live sample, if any, in
  /// parallel pieces.
  private func find<Value: Sendable>(
    _ ids: [Identifier], _ body: @Sendable (Identifier, Row?) throws -> Value
  ) throws -> [[Value]] {
    let piece = 64
    return try parallelMap((ids.count + piece - 1) / piece) { [snapshot] number in
      let range = (number * piece)..<min((number + 1) * piece, ids.count)
      return try range.map { index in
        if index + 1 < range.upperBound { snapshot.prefetch(ids[index + 1]) }
        return try body(ids[index], try snapshot.row(ids[index]))
      }
    }
  }

  /// Returns the distinct identifiers that the commit does not already delete.
  private func different(_ deletions: [Identifier]) -> [Identifier] {
    var seen = Set(payload.deletions.id)
    return deletions.filter { seen.insert($0).inserted }
  }
}
