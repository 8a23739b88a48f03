import Foundation

/// A bar chart of the peers' results in one scenario.
package struct Chart {
  /// One bar.
  package struct Bar {
    package var name: String
    package var value: Double
    package var minimum: Double
    package var maximum: Double

    package init(name: String, value: Double, minimum: Double, maximum: Double) {
      self.name = name
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  package var title: String
  package var unit: String
  package var isMoreBetter: Bool
  package var bars: [Bar]

  package init(title: String, unit: String, isMoreBetter: Bool, bars: [Bar]) {
    self.title = title
    self.unit = unit
    self.isMoreBetter = isMoreBetter
    self.bars = bars
  }

  /// Draws the first row of every scenario with more than one peer.
  static func write(_ report: Report, to directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    var drawn: Set<String> = []
    for row in report.rows where drawn.insert(row.scenario.rawValue).inserted {
      let bars = zip(report.peers, row.cells).compactMap { name, cell in
        cell.map {
          Bar(name: name, value: $0.median, minimum: $0.minimum, maximum: $0.maximum)
        }
      }
      let chart = Chart(
        title: row.title, unit: row.unit, isMoreBetter: row.cells.first??.goal == .more,
        bars: bars)
      let path = "\(directory)/\(row.scenario.rawValue).svg"
      try Data(chart.svg.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  /// Whether the length of bars is the logarithm of their value.
  package var isLogarithmic: Bool {
    let values = bars.map(\.value).filter { $0 > 0 }
    guard let low = values.min(), let high = values.max() else { return false }
    return high / low > 20
  }

  /// The length of a bar, from 0 to 1.
  package func length(_ value: Double) -> Double {
    let values = bars.map(\.value).filter { $0 > 0 }
    guard value > 0, let low = values.min(), let high = bars.map(\.maximum).max() else { return 0 }
    guard isLogarithmic else { return value / high }
    // Starts at the power of ten below the minimum, so that every bar is visible.
    let floor = log10(low).rounded(.down)
    let start = log10(low) - floor < 0.15 ? floor - 1 : floor
    return max(0, (log10(value) - start) / (log10(high) - start))
  }
}
