import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// Compares sets of time with sets of whole seconds.
@Suite struct TimeSetTests {
  private func random(_ random: inout Seeded) -> [Range<Int>] {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      let start = Int.random(in: 0..<40, using: &random)
      return start..<start + Int.random(in: 0...12, using: &random)
    }
  }

  private func set(_ ranges: [Range<Int>]) -> TimeSet {
    TimeSet(ranges.map { Double($0.lowerBound)..<Double($0.upperBound) })
  }

  private func seconds(_ time: TimeSet) -> Set<Int> {
    Set(time.intervals.flatMap { Int($0.lowerBound)..<Int($0.upperBound) })
  }

  @Test func `Union, difference, bounds and prefix agree with sets`() {
    var generator = Seeded(33)
    for _ in 0..<500 {
      let (left, right) = (random(&generator), random(&generator))
      let (a, b) = (set(left), set(right))
      let (one, two) = (Set(left.flatMap { $0 }), Set(right.flatMap { $0 }))
      #expect(seconds(a) == one && a.seconds == Double(one.count))
      #expect(seconds(a.union(b)) == one.union(two))
      #expect(seconds(a.subtracting(b)) == one.subtracting(two), "\(left) \(right)")
      #expect(seconds(a.clamped(to: 10..<30)) == one.filter { (10..<30).contains($0) })
      #expect(seconds(a.prefix(seconds: 7)) == Set(one.sorted().prefix(7)))
      let gaps = zip(a.joined(within: 3), a.joined(within: 3).dropFirst())
      #expect(gaps.allSatisfy { $1.lowerBound - $0.upperBound > 3 })
    }
  }
}
