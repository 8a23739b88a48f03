import SampleLogSimulation
import Testing

/// Simulations by number, on several threads.
@Suite struct NumberedRunsTests {
  private struct Failed: Error { var number: UInt64 }

  @Test(arguments: [1, 2, 7]) func `Every requested number runs once`(threads: Int) throws {
    let runs = NumberedRuns<[UInt64], Failed>(threads: threads, sum: [])
    try runs.run(while: { $0 < 1000 }) { number in { $0.append(number) } }
    #expect(runs.done.count == 1000)
    #expect(runs.done.sum.sorted() == Array(0..<1000))
  }

  @Test(arguments: [1, 2, 7]) func `The failure with the lowest number is thrown`(threads: Int) {
    for _ in 0..<50 {
      let runs = NumberedRuns<Int, Failed>(threads: threads, sum: 0)
      let failed = #expect(throws: Failed.self) {
        try runs.run(while: { $0 < 1000 }) { number throws(Failed) in
          // The first run that fails takes longest.
          if number == 500 { for _ in 0..<1000 { _ = runs.done } }
          if number >= 500 { throw Failed(number: number) }
          return { $0 += 1 }
        }
      }
      #expect(failed?.number == 500)
      #expect(runs.done.sum == 500)
    }
  }
}
