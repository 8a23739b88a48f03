import SampleLogSimulation

/// The numbers of operations tried; a run that tries nothing fails.
struct FeedFigures {
  private var histories = 0
  private var repeated = 0
  private var steps = 0
  private var batches = 0
  private var deletions = 0
  private var pages = 0
  private var changes = 0
  private var cutPages = 0
  private var probes = 0
  private var refusals = 0
  private var reads = 0
  private var notices = 0
  private var acknowledgements = 0
  private var openings = 0
  private var floors = 0
  private var compared = 0

  mutating func add(_ simulation: FeedSimulation, isRepeated: Bool) {
    histories += 1
    repeated += isRepeated ? 1 : 0
    steps += simulation.stepCount
    var floor: UInt64 = 0
    for event in simulation.history.events {
      switch event {
      case .committed(let commit):
        batches += 1
        deletions += commit.targets.count
      case .delivered(let page):
        pages += 1
        changes += page.changes.count
        cutPages += page.hasMore ? 1 : 0
      case .probed(let probe):
        probes += 1
        refusals += probe.outcome == .served ? 0 : 1
      case .read: reads += 1
      case .notified: notices += 1
      case .acknowledged: acknowledgements += 1
      case .opened: openings += 1
      case .floor(let now, _, _):
        floors += now > floor ? 1 : 0
        floor = now
      case .compared: compared += 1
      default: break
      }
    }
  }

  func text(from seed: UInt64, seconds: Int) -> String {
    """
    \(histories) histories from seed \(seed), \(repeated) of them twice, in \(seconds) s: \
    \(steps) steps, none wrong
      \(batches) batches with \(deletions) deletions; \(pages) pages (\(cutPages) cut) with \
    \(changes) changes
      \(probes) places asked for, \(refusals) refused; the floor rose \(floors) times; \
    \(acknowledgements) acknowledgements
      \(openings) openings, \(reads) snapshots read, \(notices) notifications, \
    \(compared) feeds compared across compactions
    """
  }
}
