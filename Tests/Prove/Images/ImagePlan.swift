/// The extent of a run of images.
struct ImagePlan {
  /// The minimum number of distinct images to open.
  let images: Int
  /// The minimum duration, in minutes.
  let minutes: Double
  let threads: Int
  /// The seed of random workloads, which is the number of the first one.
  let seed: UInt64
  let first: UInt64
  /// Whether to leave out the work that does not depend on the seed.
  let isRandomOnly: Bool
  let isRotOnly: Bool
  /// Whether to flip one bit of each byte instead of all eight.
  let isBrief: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    images = try arguments.number("--images", in: 0 ... .max) ?? 300_000
    minutes = try arguments.number("--minutes", in: 0...1e6) ?? 0
    threads = try arguments.number("--threads", in: 1...64) ?? 2
    // Larger values are the seeds of small workloads.
    seed = try arguments.number("--seed", in: 1...(1 << 28) - 1) ?? 1
    first = try arguments.number("--first", in: 0...(1 << 32) - 1) ?? 0
    isRandomOnly = arguments.has("--random")
    isRotOnly = arguments.has("--rot")
    isBrief = arguments.has("--brief")
  }
}
