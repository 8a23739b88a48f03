/// Telling the files of a store from those of its copies, and what is left over from what is not.
extension Recovery {
  /// The files that are of other copies of the store, as far as epochs and ends tell.
  mutating func otherCopies(
    _ all: DataFiles, _ files: DataFiles, _ recovered: Recovered
  ) throws -> Set<String> {
    var ends: [String: UInt64] = [:]
    for log in recovered.logs { ends[log.name] = log.end.last }
    for name in files.leftovers where FileNames.logFirst(name) != nil {
      if files.origins[name] != nil { ends[name] = try endOfLeftover(name, files) }
    }
    // The newest log says the epoch; when it cannot be read nothing can be told.
    guard files.logs.last.map({ $0.name == recovered.logs.last?.name }) ?? true else { return [] }
    guard let check = CopyCheck(recovered) else {
      let epochs = Set(all.origins.values.map(\.epoch))
      if epochs.count > 1, let newest = recovered.logs.last?.name ?? recovered.segments.last?.name {
        report(newest, 0, "the record of the epochs before \(recovered.epoch) is missing")
      }
      return []
    }
    let others = all.origins.filter { name, origin in
      origin.storeID == recovered.storeID
        && check.isOther(
          origin, through: ends[name] ?? FileNames.segmentRange(name)?.last ?? 0)
    }
    return Set(others.keys)
  }

  /// Where a log ends that segments stand for; they must have all of it.
  mutating func endOfLeftover(_ name: String, _ files: DataFiles) throws -> UInt64 {
    var log = try LogReader(file: fileSystem.open(path + "/" + name, .read), name: name)
    try log.read(limit: nil) { _, _ in true }
    if log.end.last > files.sealed {
      report(
        name, Int(log.end.length),
        "the log goes on to sequence number \(log.end.last), "
          + "the segments that stand for it to \(files.sealed)")
    }
    return log.end.last
  }

  /// Reports a log that begins another epoch in front of frames which it does not have.
  ///
  /// A copy's epoch begins behind a log that was copied up to its end. One that goes on is the
  /// original's, and the log behind it another copy's, which would hide what came later.
  mutating func checkEpochStart(_ next: LogHeader, after log: LogReader) throws {
    guard next.epoch != log.header.epoch else { return }
    var rest = log
    try rest.read(limit: nil) { _, _ in true }
    guard rest.end.last > log.end.last else { return }
    report(
      FileNames.log(first: next.first), 0,
      "it begins another epoch behind sequence number \(log.end.last) of \(log.name), "
        + "which goes on to \(rest.end.last)")
  }

  /// A sequence number that no unread file goes beyond: no record takes less than a byte.
  func lastUnread(_ names: [String], _ recovered: Recovered) throws -> UInt64 {
    let known = Set(strangers.map(\.file) + recovered.logs.map(\.name))
    return try names.filter { !known.contains($0) }.reduce(0) { last, name in
      if let segment = FileNames.segmentRange(name) { return max(last, segment.last) }
      guard let first = FileNames.logFirst(name) else { return last }
      return max(last, first + UInt64(try fileSystem.open(path + "/" + name, .read).size()))
    }
  }
}
