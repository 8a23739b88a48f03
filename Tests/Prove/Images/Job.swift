import SampleLogSimulation

/// One piece of work for a thread.
enum Job: Sendable {
  case small(length: Int, number: Int)
  case faulty(Workload)
  case random(UInt64)
  case twice(UInt64)
  /// Random workloads that merge segments: run only, or also explored.
  case merging(Range<UInt64>)
  case mergingExplored(UInt64)
  case flips(RotStore, [Rot])
  case sectors(RotStore.Plan)

  /// The kind under which its results are counted.
  enum Kind: String, CaseIterable {
    case small = "small workloads, every one"
    case faulty = "small workloads, every call failing"
    case random = "random workloads"
    case twice = "random workloads, run twice"
    case merging = "random workloads that merge"
    case flips = "bits flipped"
    case sectors = "sectors lost, misplaced, files cut"
  }

  var kind: Kind {
    switch self {
    case .small: .small
    case .faulty: .faulty
    case .random: .random
    case .twice: .twice
    case .merging, .mergingExplored: .merging
    case .flips: .flips
    case .sectors: .sectors
    }
  }

  func run(_ explorer: inout Explorer) throws {
    switch self {
    case .small(let length, let number):
      // The workload without the last step is itself part of the enumeration.
      try explorer.explore(
        Enumeration.workload(length: length, number: number), from: length - 1)
    case .faulty(let workload):
      for one in try Enumeration.faulty(workload) {
        try explorer.explore(one, isAfterFault: true)
      }
    case .random(let seed): try explorer.explore(Enumeration.random(seed: seed))
    case .twice(let seed): try explorer.exploreTwice(Enumeration.random(seed: seed))
    case .merging(let seeds):
      for seed in seeds { try explorer.run(Enumeration.merging(seed: seed)) }
    case .mergingExplored(let seed): try explorer.explore(Enumeration.merging(seed: seed))
    case .flips(let store, let rots): try Self.check(rots, of: store, &explorer)
    case .sectors(let plan):
      let store = try RotStore(plan)
      for file in store.image.entries.indices {
        try Self.check(Rot.others(store, file: file), of: store, &explorer)
      }
    }
  }

  private static func check(
    _ rots: [Rot], of store: RotStore, _ explorer: inout Explorer
  ) throws {
    var checker = RotChecker(store)
    for rot in rots { try checker.check(rot) }
    explorer.add(checker.counts)
  }
}
