extension Segment {
  /// Reads every byte from the file, verifies all checksums, decodes every block, and compares zone
  /// maps and indexes with the rows.
  ///
  /// - Parameter report: Called with the file offset of each error and its reason.
  package func verify(_ report: (_ offset: Int, _ reason: String) -> Void) {
    func attempt(_ offset: Int, _ body: () throws -> Void) {
      do {
        try body()
      } catch StoreError.damaged(_, let offset, let reason) {
        report(offset, reason)
      } catch {
        report(offset, "\(error)")
      }
    }
    attempt(0) {
      guard try file.size() == fileSize else {
        return report(fileSize, "the length of the file has changed")
      }
      let head = try file.bytes(SegmentHeader.length, at: 0) ?? []
      if head != header.encoded { report(0, "the header has changed") }
      let position = fileSize - SegmentFooter.length
      let foot = try file.bytes(SegmentFooter.length, at: position) ?? []
      if foot != footer.encoded(at: position) { report(position, "the footer has changed") }
      let backup = footer[.settings].end
      if try file.bytes(BackupHeader.length, at: backup) != head + foot {
        report(backup, "the backup header does not repeat header and footer")
      }
    }
    for region in Region.allCases where region != .keys || sampleCount == 0 {
      attempt(footer[region].offset) { _ = try readRegion(region) }
    }
    var syncKeys: [UInt64] = []
    var syncRows: [UInt32] = []
    var decoded = 0
    var keys: KeyIndex?
    if sampleCount > 0 { attempt(footer[.keys].offset) { keys = try readKeyIndex() } }
    for group in series.groups {
      var last: (series: Int, start: Double) = (-1, 0)
      for index in group.blocks {
        attempt(directory.offset(index)) {
          let block = try block(index, .all)
          decoded += 1
          func wrong(_ reason: String) {
            report(directory.offset(index), "\(reason) (block \(index))")
          }
          if !ZoneMap(block).matches(zone(index)) { wrong("the zone map does not match") }
          forEachSeries(inBlock: index, rows: 0..<block.count) { number, rows in
            if number == last.series, block.start[rows.lowerBound] < last.start {
              wrong("a block that starts too early")
            }
            last = (number, block.start[rows.upperBound - 1])
            verifyRows(block, rows, wrong)
          }
          guard group.kind == .sample else { return }
          if let keys { verifyKeys(block, index, keys, wrong) }
          collect(block, index, &syncKeys, &syncRows)
        }
      }
    }
    // The sync keys of blocks that failed to decode are missing.
    if decoded == blockCount {
      attempt(footer[.syncKeys].offset) {
        let expected = SyncKeyIndex.encode(keys: syncKeys, rows: syncRows)
        let stored = try readRegion(.syncKeys)
        if withExtendedLifetime(stored, { [UInt8](stored.bytes) != expected }) {
          report(footer[.syncKeys].offset, "the sync key index does not match the rows")
        }
      }
    }
  }

  /// Verifies rows that belong to one series.
  private func verifyRows(_ block: Block, _ rows: Range<Int>, _ wrong: (String) -> Void) {
    var isSorted = true
    var isInside = true
    for row in rows {
      isInside =
        isInside && block.sequence[row] >= header.first && block.sequence[row] <= header.last
      guard row > rows.lowerBound else { continue }
      let before = block.start[row - 1]
      let start = block.start[row]
      isSorted =
        isSorted && !(start < before)
        && (start != before || block.sequence[row - 1] <= block.sequence[row])
    }
    if !isSorted { wrong("rows out of order") }
    if !isInside { wrong("a sequence number outside the range of the segment") }
  }

  private func verifyKeys(
    _ block: Block, _ index: Int, _ keys: KeyIndex, _ wrong: (String) -> Void
  ) {
    let first = directory.firstRow(index)
    for row in 0..<block.count {
      let found = keys.probe(hash(block.id[row])) { rows in
        rows.contains(first + row) ? true : nil
      }
      if found == nil { return wrong("the key index misses a row") }
    }
  }

  private func collect(
    _ block: Block, _ index: Int, _ keys: inout [UInt64], _ rows: inout [UInt32]
  ) {
    var known: [UInt32: [UInt8]] = [0: []]
    for row in 0..<block.count {
      let number = block.extras[row]
      let identifier =
        known[number] ?? Extras(block.extras(at: row))?.syncIdentifier ?? []
      known[number] = identifier
      if identifier.isEmpty { continue }
      keys.append(
        syncKey(
          subject: symbols.name(block.subject(at: row)), type: symbols.name(block.type),
          syncIdentifier: identifier))
      rows.append(UInt32(directory.firstRow(index) + row))
    }
  }
}
