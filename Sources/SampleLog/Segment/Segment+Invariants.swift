extension Segment {
  /// Checks header, series and rows, as ``verify(_:)`` does, and the key index that is kept.
  package func checkInvariants() throws {
    try BrokenInvariant.check(
      header.first <= header.last, "\(name) goes from \(header.first) to \(header.last)")
    var next = 0
    for one in series {
      try BrokenInvariant.check(
        one.blocks.lowerBound == next && !one.blocks.isEmpty
          && blocks(one.key.series, one.kind) == one.blocks,
        "\(name): the blocks of a series are \(one.blocks)")
      next = one.blocks.upperBound
    }
    try BrokenInvariant.check(next == blockCount, "\(name): \(next) blocks of \(blockCount)")
    var reasons: [String] = []
    verify { reasons.append("\(name), byte \($0): \($1)") }
    try BrokenInvariant.check(reasons.isEmpty, reasons.joined(separator: "; "))
    if sampleCount > 0 { try readKeyIndex().checkInvariants() }
  }
}
