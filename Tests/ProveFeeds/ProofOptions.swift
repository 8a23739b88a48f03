import Foundation

/// What the command line asks for.
struct ProofOptions {
  static let usage = """
    usage: ProveFeeds [--histories N] [--seed S] [--minutes M] [--threads N]
                      [--commits N]
           ProveFeeds --replay SEED [--keep 0,1,2] [--loud]

      --histories N  stop after N histories (2000)
      --seed S       begin with this seed (0)
      --minutes M    stop after M minutes; without --histories, not before
      --threads N    run so many at once (as many as there are processors)
      --commits N    also make so many commits to one store, with every option set, and look for
                     what grows with them (0)
      --replay SEED  run one history
      --keep LIST    take only these of its steps
      --loud         print everything that happens
    """

  private(set) var histories: UInt64?
  private(set) var seed: UInt64 = 0
  private(set) var minutes: Double?
  private(set) var threads = ProcessInfo.processInfo.activeProcessorCount
  private(set) var commits = 0
  private(set) var replay: UInt64?
  private(set) var keep: [Int]?
  private(set) var isLoud = false

  /// Reads arguments; nil when they make no sense.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--loud" {
        isLoud = true
        continue
      }
      guard let text = rest.popFirst() else { return nil }
      switch name {
      case "--histories": histories = UInt64(text)
      case "--seed": seed = UInt64(text) ?? 0
      case "--minutes": minutes = Double(text)
      case "--commits": commits = Int(text) ?? 0
      case "--threads": threads = Int(text) ?? threads
      case "--replay": replay = UInt64(text)
      case "--keep": keep = text.split(separator: ",").compactMap { Int($0) }
      default: return nil
      }
      let isNumber = name == "--keep" || Double(text) != nil
      guard isNumber else { return nil }
    }
  }

  /// Whether another history is wanted.
  func mayGoOn(_ done: UInt64, _ time: Duration) -> Bool {
    if let minutes, time >= .seconds(minutes * 60) { return false }
    return done < histories ?? (minutes == nil ? 2000 : .max)
  }
}
