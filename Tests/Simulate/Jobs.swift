import SampleLogSimulation

/// One piece of work for a thread.
enum Job: Sendable {
  case small(length: Int, number: Int)
  case faulty(Workload)
  case random(UInt64)
  case twice(UInt64)
  case rot(RotStore, [Rot])

  /// What its time is counted under.
  var kind: String {
    switch self {
    case .small: "small workloads"
    case .faulty: "workloads with every fault"
    case .random: "random workloads"
    case .twice: "workloads run twice"
    case .rot: "rot"
    }
  }

  func run(_ explorer: inout Explorer) throws {
    switch self {
    case .small(let length, let number):
      // What precedes the last step is itself a workload of the enumeration.
      try explorer.explore(
        Enumeration.workload(length: length, number: number), from: length - 1)
    case .faulty(let workload):
      for one in try Enumeration.faulty(workload) {
        try explorer.explore(one, isAfterFault: true)
      }
    case .random(let seed): try explorer.explore(Enumeration.random(seed: seed))
    case .rot(let store, let rots):
      var checker = RotChecker(store)
      for rot in rots { try checker.check(rot) }
      explorer.add(checker.counts)
    case .twice(let seed): try explorer.exploreTwice(Enumeration.random(seed: seed))
    }
  }
}

/// What is to be done, handed out piece by piece.
struct Jobs {
  private var fixed: [Job] = []
  private var next = 0
  private var seed: UInt64

  init(_ arguments: Arguments) throws {
    seed = arguments.seed << 32
    let rot = try RotPlan.jobs(seed: arguments.seed, isLong: arguments.isRotOnly)
    if arguments.isRotOnly {
      fixed = rot
      return
    }
    for length in 1...(arguments.minutes > 5 ? 5 : 4) {
      for number in 0..<Enumeration.count(length: length) {
        fixed.append(.small(length: length, number: number))
      }
    }
    for length in 1...2 {
      for number in 0..<Enumeration.count(length: length) {
        fixed.append(.faulty(Enumeration.workload(length: length, number: number)))
      }
    }
    for workload in Enumeration.buffered { fixed.append(.faulty(workload)) }
    for number in 0..<40 {
      let place = Int(mixed(UInt64(number)) >> 8) % Enumeration.count(length: 5)
      fixed.append(.faulty(Enumeration.workload(length: 5, number: place)))
    }
    for number in 0..<200 { fixed.append(.twice(arguments.seed << 32 ^ UInt64(number))) }
    fixed += rot
  }

  /// The pieces that are always done.
  mutating func takeFixed() -> Job? {
    guard next < fixed.count else { return nil }
    next += 1
    return fixed[next - 1]
  }

  /// Another piece, of which there is no end.
  mutating func takeRandom() -> Job {
    seed += 1
    return .random(seed)
  }
}

/// The stores that are damaged: their sizes and how they are dealt out.
enum RotPlan {
  /// Sixteen small stores, so that an opening costs little: 64 KiB and more in all.
  static let small = 16
  /// As many of them as a short run has time for.
  static let few = 6
  /// How many bits one piece of work flips.
  static let share = 8192

  static func jobs(seed: UInt64, isLong: Bool) throws -> [Job] {
    var jobs: [Job] = []
    var stores = try (0..<UInt64(isLong ? small : few)).map {
      try RotStore(RotStore.Plan(seed: seed &* 1000 &+ $0, segments: 2, rows: 12, commits: 7))
    }
    if isLong {
      stores.append(try RotStore(RotStore.Plan(seed: seed, segments: 10, rows: 300, commits: 20)))
    }
    for store in stores {
      for file in store.image.entries.indices {
        var rots = Rot.flips(store, file: file)[...]
        while !rots.isEmpty {
          jobs.append(.rot(store, Array(rots.prefix(share))))
          rots = rots.dropFirst(share)
        }
        jobs.append(.rot(store, Rot.others(store, file: file)))
      }
    }
    return jobs
  }
}
