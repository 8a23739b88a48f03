/// The options on the command line.
package struct Options {
  package var plan = PeerSession.Plan()
  package var scenarios = Scenario.allCases
  package var peers = PeerKind.usual
  package var jsonPath: String?
  package var chartDirectory: String?
  package var isMarkdown = false
  package var measuresMemory = false
  package var profiled: Scenario?
  package var seconds = 10.0
  package var checksTenMillion = false
  package var onlyChecks = false
  package var wantsHelp = false
  /// The purpose for which another process started this one.
  package var child: [String] = []

  package static let help = """
    Measures our store and others on the same stream of samples.

      --samples N           how many samples to load; default 1000000
      --against A,B         compare with \(PeerKind.others.map(\.name).joined(separator: ", "));
                            none for none; default \
    \(PeerKind.usual.map(\.name).joined(separator: ","))
                            duckdb where its library is found: DUCKDB_SO names it, PYTHON_SO
                            the Python library that the module of a wheel needs
      --only A,B            run only these scenarios
      --skip A,B            run all but these
      --repeat N            how often to repeat what is quick; default 3
      --order NAME          stream (in order of time, a few late), random, history-last (a year
                            that is imported after the present), or uploads (each person sends
                            500 neighbouring samples at a time, one upload in twenty a month late)
      --subjects N          deal the samples to so many people; default 1
      --dealing NAME        turns (one person after the other) or random; uploads are whole
      --observers A,B       beside how many observers of others to save; default 10000,100000
      --people A,B          the numbers of people to measure calls of; default 1,1000,10000
      --tasks A,B           the numbers of concurrent tasks to measure calls from; default 1,8,64
      --directory PATH      where the stores go; on the disk to be measured
      --json FILE           write every repetition as JSON; - for the standard output
      --svg DIR             draw a chart for every scenario
      --markdown            print the table as Markdown
      --memory              run each scenario in a process of its own and report its peak memory
      --memory-limit MB     how much memory our store is to stay within
      --profile SCENARIO    repeat one scenario with our store and count what it does to the disk
      --seconds N           how long to profile; default 10
      --check               check the stream and stop
      --check-ten-million   check ten million samples of it

    Scenarios:
    \(Scenario.allCases.map { line($0) }.joined(separator: "\n"))
    """

  /// Reads arguments, without the program's name.
  ///
  /// - Throws: ``BenchmarkError/usage(_:)`` naming the argument that is wrong.
  package init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if try takeFlag(option) { continue }
      if option == "--child" {
        child = Array(rest.prefix { !$0.hasPrefix("--") })
        rest = rest.dropFirst(child.count)
        continue
      }
      guard Self.valued.contains(option) else {
        throw BenchmarkError.usage("Unknown option \(option).")
      }
      guard let value = rest.popFirst() else {
        throw BenchmarkError.usage("\(option) needs a value.")
      }
      try take(option, value)
    }
    let count = plan.loadOrder.subjects
    // A process for one store has no others.
    if child.isEmpty, let peer = peers.first(where: { count > $0.greatestSubjectCount }) {
      throw BenchmarkError.usage(
        "\(peer.name) cannot take part: its keys have room for \(peer.greatestSubjectCount) people."
      )
    }
  }

  private static let valued: Set<String> = [
    "--samples", "--against", "--only", "--skip", "--repeat", "--order", "--subjects", "--dealing",
    "--observers", "--people", "--tasks", "--directory", "--json", "--svg", "--profile",
    "--seconds", "--memory-limit",
  ]

  private mutating func takeFlag(_ option: String) throws -> Bool {
    switch option {
    case "--markdown": isMarkdown = true
    case "--memory": measuresMemory = true
    case "--check": onlyChecks = true
    case "--check-ten-million": checksTenMillion = true
    case "--help", "-h": wantsHelp = true
    default: return false
    }
    return true
  }

  private mutating func take(_ option: String, _ value: String) throws {
    switch option {
    case "--samples": plan.samples = try Self.number(value, of: option, in: 1...1_000_000_000)
    case "--repeat": plan.repetitions = try Self.number(value, of: option, in: 1...1000)
    case "--subjects":
      plan.loadOrder.subjects = try Self.number(
        value, of: option, in: 1...LoadOrder.greatestSubjectCount)
    case "--observers":
      plan.observers = try Self.numbers(value, of: option, in: 1...10_000_000)
    case "--people": plan.subjectCounts = try Self.numbers(value, of: option, in: 1...1_000_000)
    case "--tasks": plan.tasks = try Self.numbers(value, of: option, in: 1...10_000)
    case "--seconds": seconds = Double(try Self.number(value, of: option, in: 1...86_400))
    case "--memory-limit":
      plan.memoryLimit = try Self.number(value, of: option, in: 1...1_000_000) * 1_000_000
    case "--directory": plan.directory = value
    case "--json": jsonPath = value
    case "--svg": chartDirectory = value
    case "--against": peers = try Self.peers(value)
    // In the order of declaration, not of the command line, because each builds on earlier ones.
    case "--only":
      let names = try Self.scenarios(value)
      scenarios = scenarios.filter(names.contains)
    case "--skip":
      let names = try Self.scenarios(value)
      scenarios = scenarios.filter { !names.contains($0) }
    case "--profile": profiled = try Self.scenarios(value).first
    case "--order":
      guard let order = LoadOrder.Order(rawValue: value) else {
        throw BenchmarkError.usage("There is no order \(value).")
      }
      plan.loadOrder.order = order
    case "--dealing":
      guard let dealing = LoadOrder.Dealing(rawValue: value) else {
        throw BenchmarkError.usage("Samples cannot be dealt by \(value).")
      }
      plan.loadOrder.dealing = dealing
    default: break
    }
  }

  private static func line(_ scenario: Scenario) -> String {
    "  " + scenario.rawValue.padded(to: 22) + scenario.summary
  }

  private static func number(
    _ text: String, of option: String, in range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw BenchmarkError.usage(
        "\(option) needs a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private static func numbers(
    _ text: String, of option: String, in range: ClosedRange<Int>
  ) throws -> [Int] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map {
      try number(String($0), of: option, in: range)
    }
  }

  private static func scenarios(_ text: String) throws -> Set<Scenario> {
    Set(
      try text.split(separator: ",").map { name in
        guard let scenario = Scenario(rawValue: String(name)) else {
          throw BenchmarkError.usage("There is no scenario \(name).")
        }
        return scenario
      })
  }

  private static func peers(_ text: String) throws -> [PeerKind] {
    if text == "none" { return [] }
    return try text.split(separator: ",").map { name in
      if let peer = PeerKind.others.first(where: { $0.name == name }) { return peer }
      guard let needs = PeerKind.needs[String(name)] else {
        throw BenchmarkError.usage("There is no peer \(name).")
      }
      throw BenchmarkError.usage("\(name) cannot take part, because \(needs)")
    }
  }
}
