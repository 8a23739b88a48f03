/// The results of all peers side by side.
struct Report {
  /// One respect in which peers were measured; every row has a cell for every peer.
  struct Row {
    let scenario: Scenario
    let cells: [Measurement]

    /// Whether all peers read the same; nil with a single peer or nothing to compare.
    var agrees: Bool? {
      let digests = cells.compactMap(\.digest)
      guard let first = digests.first, cells.count > 1 else { return nil }
      return digests.allSatisfy { $0 == first }
    }
  }

  let samples: Int
  let peers: [String]
  private(set) var rows: [Row] = []

  init(samples: Int, peers: [String]) {
    self.samples = samples
    self.peers = peers
  }

  /// Whether no two peers disagree.
  var agrees: Bool {
    rows.allSatisfy { $0.agrees != false }
  }

  /// Adds what the peers reached at one scenario, in the order of ``peers``.
  mutating func add(_ scenario: Scenario, _ measurements: [[Measurement]]) {
    let count = measurements.map(\.count).min() ?? 0
    for index in 0..<count {
      rows.append(Row(scenario: scenario, cells: measurements.map { $0[index] }))
    }
  }

  /// The results as a table; a ratio above 1 says that the first peer is ahead.
  var table: String {
    let heading =
      ["scenario", "unit"] + peers + peers.dropFirst().map { "ratio to \($0)" } + ["equal"]
    let lines = [heading] + rows.map { line($0) }
    let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      zip(cells, widths).enumerated().map { column, cell in
        column < 2 ? cell.0.padded(to: cell.1) : cell.0.paddedLeft(to: cell.1)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func line(_ row: Row) -> [String] {
    let figures = row.cells.map { cell in
      cell.spread.map { "\(cell.median.short) ±\(Int($0.rounded())) %" } ?? cell.median.short
    }
    let ratios = row.cells.dropFirst().map { other in
      "\(row.cells[0].advantage(over: other).rounded(toPlaces: 2))×"
    }
    let agreement = row.agrees.map { $0 ? "yes" : "NO" } ?? "–"
    return [row.cells[0].title, row.cells[0].unit] + figures + ratios + [agreement]
  }
}
