/// What the command line asks for.
struct Arguments {
  /// How many distinct images to open at least.
  var images = 300_000
  /// How many minutes to go on at least.
  var minutes = 0.0
  var seed: UInt64 = 1
  var threads = 2
  var replay: String?
  var isRotOnly = false

  static let usage = """
    usage: Simulate [--images N] [--minutes M] [--seed S] [--threads N] [--rot] [--replay WORKLOAD]
    """

  init?(_ words: ArraySlice<String>) {
    var words = words
    while let word = words.popFirst() {
      if word == "--rot" {
        isRotOnly = true
        continue
      }
      guard let value = words.popFirst() else { return nil }
      switch word {
      case "--images":
        guard let number = Int(value) else { return nil }
        images = number
      case "--minutes":
        guard let number = Double(value) else { return nil }
        minutes = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--threads":
        guard let number = Int(value), 1...64 ~= number else { return nil }
        threads = number
      case "--replay": replay = value
      default: return nil
      }
    }
  }
}
