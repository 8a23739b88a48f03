/// What the command line asks for.
struct Options {
  var samples = 1_000_000
  var scenarios = Scenario.allCases
  var peers = PeerKind.own + PeerKind.others.prefix(1)
  var directory = ".build/benchmark-data"
  var isJSON = false
  var checksTenMillion = false
  var onlyChecks = false
  var wantsHelp = false

  static let help = """
    Measures our store and others on the same stream of samples.

      --samples N           how many samples to load; default 1000000
      --only A,B            run only these scenarios
      --against A,B         compare with \(PeerKind.others.map(\.name).joined(separator: ", ")); \
    or none; default \(PeerKind.others.first?.name ?? "none")
      --directory PATH      where the stores go; on the disk to be measured
      --json                print JSON instead of a table
      --check               check the stream and stop
      --check-ten-million   check ten million samples of it

    Scenarios:
    \(Scenario.allCases.map { line($0) }.joined(separator: "\n"))
    """

  /// Reads arguments, without the program's name.
  ///
  /// - Throws: ``BenchmarkError/usage(_:)`` naming the argument that is wrong.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--samples": samples = try Self.count(rest.popFirst())
      case "--only": scenarios = try Self.scenarios(rest.popFirst())
      case "--against": peers = PeerKind.own + (try Self.peers(rest.popFirst()))
      case "--directory": directory = try Self.value(rest.popFirst(), of: option)
      case "--json": isJSON = true
      case "--check": onlyChecks = true
      case "--check-ten-million": checksTenMillion = true
      case "--help", "-h": wantsHelp = true
      default: throw BenchmarkError.usage("Unknown option \(option).")
      }
    }
  }

  private static func line(_ scenario: Scenario) -> String {
    "  " + scenario.rawValue.padded(to: 22) + scenario.summary
  }

  private static func value(_ text: String?, of option: String) throws -> String {
    guard let text else { throw BenchmarkError.usage("\(option) needs a value.") }
    return text
  }

  private static func count(_ text: String?) throws -> Int {
    guard let text, let count = Int(text), count > 0, count <= 1_000_000_000 else {
      throw BenchmarkError.usage("--samples needs a number from 1 to 1000000000.")
    }
    return count
  }

  private static func scenarios(_ text: String?) throws -> [Scenario] {
    let names = try value(text, of: "--only").split(separator: ",").map(String.init)
    for name in names where Scenario(rawValue: name) == nil {
      throw BenchmarkError.usage("There is no scenario \(name).")
    }
    // Their own order, not the order of the command line: each builds on those before it.
    return Scenario.allCases.filter { names.contains($0.rawValue) }
  }

  private static func peers(_ text: String?) throws -> [PeerKind] {
    let names = try value(text, of: "--against").split(separator: ",").map(String.init)
    if names == ["none"] { return [] }
    return try names.map { name in
      guard let peer = PeerKind.others.first(where: { $0.name == name }) else {
        throw BenchmarkError.usage("There is no peer \(name).")
      }
      return peer
    }
  }
}
