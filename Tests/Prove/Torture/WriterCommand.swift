import SampleLogSimulation

/// The process that the torture and power-cut commands kill.
enum WriterCommand: Subcommand {
  static let name = "writer"
  static let usage = "usage: Prove writer ORDER DIR\n"

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let others = try Arguments(words, options: [], others: 2...2).others
    guard let order = TortureOrder(others[0]) else {
      throw UsageError("\(others[0]) is no order.")
    }
    try TortureWriter(others[1], order).run()
    return true
  }
}
