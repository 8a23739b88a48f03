import Foundation

/// `healthstore-benchmark`: checks the stream, runs the scenarios and prints the results.
package enum BenchmarkCommand {
  /// Runs the program.
  ///
  /// Exits with 2 for a wrong command line and 1 for other errors.
  package static func main() {
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
    if !options.child.isEmpty { return try Child.work(options.child, options.plan) }
    try StreamCheck.run(upTo: options.checksTenMillion ? 10_000_000 : 1_000_000)
    if options.onlyChecks { return }
    if let scenario = options.profiled {
      print(try Profile(scenario, options.plan, seconds: options.seconds).run())
      return
    }
    let report = try measure(options)
    if options.jsonPath != "-" { print(options.isMarkdown ? report.markdown : report.table) }
    if let path = options.jsonPath { try write(try report.json(), to: path) }
    if let directory = options.chartDirectory { try Chart.write(report, to: directory) }
    let disputed = report.rows.filter { $0.agrees == false }.map(\.title)
    guard disputed.isEmpty else { throw BenchmarkError.disagreement(disputed) }
  }

  private static func write(_ text: String, to path: String) throws {
    if path == "-" {
      print(text)
    } else {
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  /// Runs every scenario with one peer right after the other, so that a slow phase of the machine
  /// affects all of them.
  private static func measure(_ options: Options) throws -> Report {
    let kinds = [PeerKind.own] + options.peers
    let runners = kinds.map { kind in
      ScenarioRunner(kind, options.plan, isApart: options.measuresMemory)
    }
    var report = Report(
      plan: options.plan, machine: try Machine(directory: options.plan.directory),
      peers: kinds.map(\.name))
    printError(report.machine.summary)
    for scenario in options.scenarios {
      var measurements: [[Measurement]] = []
      for (position, runner) in runners.enumerated() where position == 0 || !scenario.isOurs {
        let sync = scenario.isDurable ? try Machine.sync(options.plan.directory)[1] : nil
        report.probes.append(
          Report.Probe(
            scenario: scenario.rawValue, peer: kinds[position].name,
            memory: Machine.readInNoOrder(),
            sync: sync))
        printError("running: \(scenario.rawValue), \(kinds[position].name)")
        measurements.append(try runner.run(scenario))
      }
      report.add(scenario, measurements)
    }
    for runner in runners { try runner.finish() }
    return report
  }
}
