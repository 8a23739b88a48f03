extension Segment {
  /// Checks the header, series and rows, as ``verify(_:)`` does, and the stored key index.
  package func checkInvariants() throws {
    try BrokenInvariant.check(
      header.first <= header.last, "\(name) goes from \(header.first) to \(header.last)")
    var next = 0
    for group in series.groups {
      try BrokenInvariant.check(
        group.blocks.lowerBound == next && !group.blocks.isEmpty && !group.series.isEmpty,
        "\(name): the blocks of a group are \(group.blocks)")
      next = group.blocks.upperBound
    }
    for number in 0..<seriesCount {
      let one = series(number)
      try BrokenInvariant.check(
        series(one.key.series, one.key.kind)?.number == number && !one.blocks.isEmpty,
        "\(name): series \(number) is not found")
    }
    try BrokenInvariant.check(next == blockCount, "\(name): \(next) blocks of \(blockCount)")
    var reasons: [String] = []
    verify { reasons.append("\(name), byte \($0): \($1)") }
    try BrokenInvariant.check(reasons.isEmpty, reasons.joined(separator: "; "))
    if sampleCount > 0 { try readKeyIndex().checkInvariants() }
  }
}
