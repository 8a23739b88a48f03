extension PeerSession {
  /// Heart rates above 150 of a year: the rows, and their number with their sum.
  ///
  /// Rows of many people are in any order. A peer that can query all people at once runs one query,
  /// others one for each person.
  func above() throws -> [Measurement] {
    let peer = try peer()
    let isOfMany = plan.loadOrder.subjects > 1
    let year = SampleStream.firstYear
    var costs: [Double] = []
    let digest = try repeated(
      plan.repetitions, scenario: .above, into: isOfMany ? .ofRowsInAnyOrder : Digest()
    ) { digest in
      let watch = Stopwatch()
      if isOfMany, let peer = peer as? any PopulationReading {
        try peer.rows(of: .heartRate, in: year, above: 150, into: &digest)
      } else {
        for wanted in series(.heartRate) {
          try peer.rows(of: wanted, in: year, above: 150, into: &digest)
        }
      }
      costs.append(watch.seconds * 1e3)
    }
    let rows = Measurement("heart rate > 150, a year", "ms", .less, costs, digest)
    guard let peer = peer as? any PopulationReading else { return [rows] }
    costs = []
    let total = try repeated(plan.repetitions, scenario: .above) { digest in
      let watch = Stopwatch()
      let total = try peer.total(of: .heartRate, in: year, above: 150)
      costs.append(watch.seconds * 1e3)
      digest.add(total)
    }
    return [rows, Measurement("… count and sum", "ms", .less, costs, total)]
  }

  /// The daily aggregates of everybody's heart rates together.
  func daily() throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .daily) { digest in
      let watch = Stopwatch()
      let days: [DailyAggregate]
      if plan.loadOrder.subjects > 1, let peer = peer as? any PopulationReading {
        days = try peer.days(of: .heartRate, in: SampleStream.allDays)
      } else {
        days = try series(.heartRate).flatMap { try peer.days(of: $0, in: SampleStream.allDays) }
          .addedByDay()
      }
      costs.append(watch.seconds * 1e3)
      for day in days { digest.add(day) }
    }
    return Measurement("daily aggregates", "ms", .less, costs, digest)
  }
}
