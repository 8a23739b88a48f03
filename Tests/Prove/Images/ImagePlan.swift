/// How much a run of images tries.
struct ImagePlan {
  /// The number of distinct images to open at least.
  let images: Int
  /// The time to go on at least, in minutes.
  let minutes: Double
  let threads: Int
  /// What random workloads follow from, and the number of the first of them.
  let seed: UInt64
  let first: UInt64
  /// Whether to leave out what is done for every seed.
  let isRandomOnly: Bool
  let isRotOnly: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    images = try arguments.number("--images", in: 0 ... .max) ?? 300_000
    minutes = try arguments.number("--minutes", in: 0...1e6) ?? 0
    threads = try arguments.number("--threads", in: 1...64) ?? 2
    // Beyond lie the seeds of small workloads.
    seed = try arguments.number("--seed", in: 1...(1 << 28) - 1) ?? 1
    first = try arguments.number("--first", in: 0...(1 << 32) - 1) ?? 0
    isRandomOnly = arguments.has("--random")
    isRotOnly = arguments.has("--rot")
  }
}
