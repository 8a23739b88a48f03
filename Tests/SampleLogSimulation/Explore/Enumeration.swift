/// The generated workloads: all small ones by number, small ones with each fault, and random ones
/// by seed.
package enum Enumeration {
  /// The steps of small workloads.
  package static let alphabet: [Step] = [
    .save(1), .save(3), .deleteOldest, .exchange, .seal, .compact, .reopen, .acknowledge,
  ]

  /// Returns the number of workloads with a number of steps.
  package static func count(length: Int) -> Int {
    (0..<length).reduce(1) { product, _ in product * alphabet.count }
  }

  /// Returns the workload with a length and a number.
  package static func workload(length: Int, number: Int) -> Workload {
    var rest = number
    let steps = (0..<length).map { _ -> Step in
      defer { rest /= alphabet.count }
      return alphabet[rest % alphabet.count]
    }
    // A short retention, so that small workloads raise the floor.
    var workload = Workload(steps, seed: UInt64(number) << 4 | UInt64(length))
    workload.retention = 1
    return workload
  }

  /// Small workloads with buffered commits.
  package static let buffered = [
    [Step.saveBuffered(1), .save(1)],
    [.saveBuffered(1), .saveBuffered(2), .flush, .save(1)],
    [.save(1), .saveBuffered(1), .kill, .save(1)],
    [.saveBuffered(1), .seal, .saveBuffered(1), .reopen],
    [.saveBuffered(1), .save(1), .deleteOldest, .powerCut],
  ].enumerated().map { Workload($1, seed: 1 << 62 | UInt64($0)) }

  /// Returns a random workload of 20 to 60 steps, half of them with faults.
  package static func random(seed: UInt64) -> Workload {
    // Mixed, because generators of consecutive seeds yield the same sequence with an offset.
    var random = Seeded(mixed(seed))
    let steps = (0..<20 + random.below(41)).map { _ in step(&random) }
    var workload = Workload(steps, seed: seed)
    workload.retention = [0, 1, 3, 20][random.below(4)]
    workload.sealRows = [0, 0, 3, 8][random.below(4)]
    if random.oneIn(2) {
      for _ in 0..<1 + random.below(3) { workload.faults.append(fault(&random)) }
    }
    return workload
  }

  private static func step(_ random: inout Seeded) -> Step {
    switch random.below(36) {
    case 0..<8: .save(1 + random.below(4))
    case 8: .save(20 + random.below(60))
    case 9..<12: .deleteOldest
    case 12..<14: .deleteNewest
    case 14..<16: .exchange
    case 16..<18: .saveVersion
    case 18..<21: .seal
    case 21..<24: .compact
    case 24: .reopen
    case 25: .kill
    case 26: .powerCut
    case 27: .acknowledge
    case 28: .removeAcknowledgement
    case 29: .wait
    case 30: .saveBuffered(1 + random.below(2))
    case 31..<33: .saveParent(random.below(4))
    case 33: .addChild
    case 34: .erase
    default: .flush
    }
  }

  private static func fault(_ random: inout Seeded) -> DiskFault {
    let likely: [DiskCall] = [.write, .sync, .syncDirectory, .rename, .create, .remove]
    let call =
      random.oneIn(3)
      ? DiskCall.allCases[random.below(DiskCall.allCases.count)]
      : likely[random.below(likely.count)]
    let errors = call.codes
    return DiskFault(
      call, 1 + random.below(60), times: random.oneIn(3) ? 1 + random.below(6) : 1,
      error: errors[random.below(errors.count)], isOdd: random.oneIn(2))
  }

  /// Returns one workload for each single fault that a workload can encounter.
  ///
  /// They have a different seed, so that their files differ from those of the workload.
  package static func faulty(_ workload: Workload) throws -> [Workload] {
    var workload = workload
    workload.seed |= 1 << 63
    let execution = Execution(workload)
    try execution.run()
    var result: [Workload] = []
    for call in DiskCall.allCases {
      let isTwofold = [.write, .sync, .truncate, .rename, .link, .remove].contains(call)
      for ordinal in 0..<execution.disk.count(call) {
        for isOdd in isTwofold ? [false, true] : [false] {
          for times in [1, 3] {
            let error = call.codes[(ordinal + times) % call.codes.count]
            var one = workload
            one.faults = [
              DiskFault(call, ordinal + 1, times: times, error: error, isOdd: isOdd)
            ]
            result.append(one)
          }
        }
      }
    }
    return result
  }
}
