/// Distinguishes the files of a store from those of its copies, and leftovers from current files.
extension Recovery {
  /// Returns the files that belong to other copies of the store, according to epochs and ends.
  mutating func otherCopies(
    _ all: DataFiles, _ files: DataFiles, _ recovered: Recovered
  ) throws -> Set<String> {
    var ends: [String: UInt64] = [:]
    for log in recovered.logs { ends[log.name] = log.end.last }
    for name in files.leftovers where FileNames.logFirst(name) != nil {
      if files.origins[name] != nil { ends[name] = try endOfLeftover(name, files) }
    }
    // The newest log determines the epoch; if it is unreadable, files cannot be distinguished.
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

  /// Returns the end of a log that segments replace; reports damage unless they cover all of it.
  mutating func endOfLeftover(_ name: String, _ files: DataFiles) throws -> UInt64 {
    var log = try LogReader(file: fileSystem.open(path + "/" + name, .read), name: name)
    try log.read(limit: nil) { _, _ in true }
    if log.end.last > files.sealed {
      report(
        name, Int(log.end.length),
        "the log continues to sequence number \(log.end.last), "
          + "the segments that replace it to \(files.sealed)")
    }
    return log.end.last
  }

  /// Reports a log that begins another epoch although its predecessor has more frames.
  ///
  /// A copy begins its epoch after a log that was copied through its end. If the predecessor has
  /// further frames, it belongs to the original, and the other copy's log would hide these frames.
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

  /// Returns an upper bound on the sequence numbers of unread files; a record takes at least a
  /// byte.
  func lastUnread(_ names: [String], _ recovered: Recovered) throws -> UInt64 {
    let known = Set(strangers.map(\.file) + recovered.logs.map(\.name))
    return try names.filter { !known.contains($0) }.reduce(0) { last, name in
      if let segment = FileNames.segmentRange(name) { return max(last, segment.last) }
      guard let first = FileNames.logFirst(name) else { return last }
      return max(last, first + UInt64(try fileSystem.open(path + "/" + name, .read).size()))
    }
  }
}
