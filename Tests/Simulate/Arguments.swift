/// What the command line asks for.
struct Arguments {
  /// How many distinct images to open at least.
  var images = 300_000
  /// How many minutes to go on at least.
  var minutes = 0.0
  /// What random workloads follow from, and the number of the first of them.
  var seed: UInt64 = 1
  var first: UInt64 = 0
  var threads = 2
  var replay: String?
  /// Whether to leave out what is done for every seed.
  var isRandomOnly = false
  var isRotOnly = false

  static let usage = """
    usage: Simulate [--images N] [--minutes M] [--threads N] [--seed S]
           Simulate --random [--first N] [--images N] [--minutes M] [--threads N] [--seed S]
           Simulate --rot [--threads N] [--seed S]
           Simulate --replay WORKLOAD

    Without --random, all small workloads and what is always damaged come first. Random workloads
    follow from a seed; the last line of a run says how to go on behind its last one.
    """

  init?(_ words: ArraySlice<String>) {
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "--rot": isRotOnly = true
      case "--random": isRandomOnly = true
      default:
        guard let value = words.popFirst(), take(value, for: word) else { return nil }
      }
    }
  }

  private mutating func take(_ value: String, for word: String) -> Bool {
    switch word {
    case "--images":
      guard let number = Int(value), number >= 0 else { return false }
      images = number
    case "--minutes":
      guard let number = Double(value), 0...1e6 ~= number else { return false }
      minutes = number
    case "--seed":
      // Beyond lie the seeds of small workloads.
      guard let number = UInt64(value), 1..<1 << 28 ~= number else { return false }
      seed = number
    case "--first":
      guard let number = UInt64(value), number < 1 << 32 else { return false }
      first = number
    case "--threads":
      guard let number = Int(value), 1...64 ~= number else { return false }
      threads = number
    case "--replay": replay = value
    default: return false
    }
    return true
  }
}
