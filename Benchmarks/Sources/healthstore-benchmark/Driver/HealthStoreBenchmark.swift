import Foundation

/// `healthstore-benchmark`: checks the stream, runs the scenarios, prints what came of it.
@main
enum HealthStoreBenchmark {
  static func main() {
    do {
      try run(try Options(Array(CommandLine.arguments.dropFirst())))
    } catch let error as BenchmarkError {
      printError("healthstore-benchmark: \(error)")
      if case .usage = error { exit(2) }
      exit(1)
    } catch {
      printError("healthstore-benchmark: \(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    if options.wantsHelp {
      print(Options.help)
      return
    }
    try StreamCheck.run(upTo: options.checksTenMillion ? 10_000_000 : 1_000_000)
    if options.onlyChecks { return }
    guard !options.peers.isEmpty else {
      throw BenchmarkError.usage("No peer takes part.")
    }
    let report = try measure(options)
    print(options.isJSON ? try report.json() : report.table)
    let disputed = report.rows.filter { $0.agrees == false }.compactMap(\.cells.first?.title)
    guard disputed.isEmpty else { throw BenchmarkError.disagreement(disputed) }
  }

  /// Runs every scenario with one peer right after the other, so that a slow phase of the
  /// machine hits all of them.
  private static func measure(_ options: Options) throws -> Report {
    let sessions = options.peers.map {
      PeerSession($0, sampleCount: options.samples, directory: options.directory)
    }
    var report = Report(samples: options.samples, peers: options.peers.map(\.name))
    for scenario in options.scenarios {
      var measurements: [[Measurement]] = []
      for session in sessions {
        printError("running: \(scenario.rawValue), \(session.kind.name)")
        measurements.append(try session.run(scenario))
      }
      report.add(scenario, measurements)
    }
    for session in sessions { try session.finish() }
    return report
  }
}
