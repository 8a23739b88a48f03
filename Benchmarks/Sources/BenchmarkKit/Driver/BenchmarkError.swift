/// The reason why a benchmark cannot run or its results are invalid.
package enum BenchmarkError: Error, CustomStringConvertible {
  case usage(String)
  case failed(String)
  case wrongStream(count: Int)
  case wrongAnswer(peer: String, scenario: String, problem: String)
  case disagreement([String])

  package var description: String {
    switch self {
    case .failed(let problem): problem
    case .usage(let problem):
      "\(problem) See --help."
    case .wrongStream(let count):
      "The first \(count) samples of the stream differ from the published checksum."
    case .wrongAnswer(let peer, let scenario, let problem):
      "\(peer) answered \(scenario) wrongly: \(problem)"
    case .disagreement(let titles):
      "The peers read different things at: \(titles.joined(separator: "; "))."
    }
  }
}
