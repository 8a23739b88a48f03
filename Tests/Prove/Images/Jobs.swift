import SampleLogSimulation

/// The work of a run, divided into jobs.
struct Jobs {
  private var fixed: [Job] = []
  private var next = 0
  private let seed: UInt64
  /// The number of the next random job.
  private(set) var random: UInt64

  /// The number of random workloads that always run twice, and the number that are explored.
  private static let twice: UInt64 = 200
  private static let explored: UInt64 = 64
  /// The number of merging workloads that always run, the number per job, and the number explored.
  private static let merging: UInt64 = 400
  private static let mergingShare: UInt64 = 20
  private static let mergingExplored: UInt64 = 8

  init(_ plan: ImagePlan) throws {
    seed = plan.seed << 32
    random = plan.first
    if plan.isRandomOnly { return }
    if !plan.isRotOnly {
      fixed = Self.small()
      for number in 0..<Self.twice { fixed.append(.twice(seed ^ number)) }
      for number in stride(from: seed, to: seed + Self.merging, by: Int(Self.mergingShare)) {
        fixed.append(.merging(number..<number + Self.mergingShare))
      }
      for number in 0..<Self.mergingExplored { fixed.append(.mergingExplored(seed ^ number)) }
      for _ in 0..<Self.explored { fixed.append(takeRandom()) }
    }
    fixed += try RotPlan.jobs(plan)
  }

  /// Returns the jobs for all workloads of up to five steps, and for the shortest and some longer
  /// ones also with every call failing.
  private static func small() -> [Job] {
    var jobs: [Job] = []
    for length in 1...5 {
      for number in 0..<Enumeration.count(length: length) {
        jobs.append(.small(length: length, number: number))
      }
    }
    for length in 1...2 {
      for number in 0..<Enumeration.count(length: length) {
        jobs.append(.faulty(Enumeration.workload(length: length, number: number)))
      }
    }
    for workload in Enumeration.buffered { jobs.append(.faulty(workload)) }
    for number in 0..<40 {
      let place = Int(mixed(UInt64(number)) >> 8) % Enumeration.count(length: 5)
      jobs.append(.faulty(Enumeration.workload(length: 5, number: place)))
    }
    return jobs
  }

  /// Removes and returns the next job that every run performs, or returns nil if none is left.
  mutating func takeFixed() -> Job? {
    guard next < fixed.count else { return nil }
    next += 1
    return fixed[next - 1]
  }

  /// Returns the next random job; the sequence is infinite.
  mutating func takeRandom() -> Job {
    defer { random += 1 }
    return switch random % 8 {
    case 7: .sectors(RotPlan.small(seed ^ random))
    case 3: .mergingExplored(seed ^ random)
    default: .random(seed ^ random)
    }
  }
}

/// The stores that are damaged: their sizes and their division into jobs.
enum RotPlan {
  /// The minimum total size of small stores, in bytes.
  ///
  /// Small stores are cheap to open.
  private static let leastBytes = 64 << 10
  /// The number of further stores that lose sectors only.
  private static let others: UInt64 = 60
  /// The number of bits that one job flips.
  private static let share = 8192

  static func small(_ seed: UInt64) -> RotStore.Plan {
    RotStore.Plan(seed: seed, segments: 2, rows: 12, commits: 7)
  }

  static func jobs(_ plan: ImagePlan) throws -> [Job] {
    let seed = plan.seed
    var plans: [RotStore.Plan] = []
    var jobs: [Job] = []
    var bytes = 0
    while bytes < leastBytes {
      plans.append(small(seed &* 1000 &+ UInt64(plans.count)))
      bytes += try flip(RotStore(plans[plans.count - 1]), plan.isBrief, &jobs)
    }
    if plan.isRotOnly {
      plans.append(RotStore.Plan(seed: seed, segments: 10, rows: 300, commits: 20))
      _ = try flip(RotStore(plans[plans.count - 1]), plan.isBrief, &jobs)
    }
    for number in 0..<others { plans.append(small(seed &* 1000 &+ 500 &+ number)) }
    return jobs + plans.map { .sectors($0) }
  }

  /// Adds the flips of every bit of a store, or of one bit of each byte, and returns its size in
  /// bytes.
  private static func flip(_ store: RotStore, _ isBrief: Bool, _ jobs: inout [Job]) -> Int {
    for file in store.image.entries.indices {
      var rots = Rot.flips(store, file: file)[...]
      if isBrief { rots = rots.indices.filter { $0 % 8 == $0 / 8 % 8 }.map { rots[$0] }[...] }
      while !rots.isEmpty {
        jobs.append(.flips(store, Array(rots.prefix(share))))
        rots = rots.dropFirst(share)
      }
    }
    return store.byteCount
  }
}
