import BenchmarkKit
import Testing

@Suite("A chart")
struct ChartTests {
  private func chart(_ values: [Double]) -> Chart {
    Chart(
      title: "a < b", unit: "µs", isMoreBetter: false,
      bars: values.enumerated().map { index, value in
        Chart.Bar(name: "peer \(index)", value: value, minimum: value * 0.9, maximum: value * 1.1)
      })
  }

  @Test("is logarithmic if its bars differ more than twentyfold")
  func scale() {
    #expect(!chart([1, 20]).isLogarithmic)
    #expect(chart([1, 21]).isLogarithmic)
  }

  @Test("draws longer bars for greater values, within its bounds")
  func lengths() {
    for values in [[1.0, 2, 3], [0.1, 50, 2000]] {
      let chart = chart(values)
      let lengths = values.map { chart.length($0) }
      #expect(lengths == lengths.sorted())
      #expect(lengths.allSatisfy { $0 > 0 && $0 <= 1 })
    }
  }

  @Test("escapes markup in its text")
  func escaping() {
    let svg = chart([1, 2]).svg
    #expect(svg.contains("a &lt; b"))
    #expect(!svg.contains("a < b"))
    #expect(svg.contains("prefers-color-scheme: dark"))
  }
}
