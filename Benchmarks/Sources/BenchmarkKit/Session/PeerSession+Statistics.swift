extension PeerSession {
  /// Average, minimum and maximum of heart rate by day, for all days and for a year.
  ///
  /// Also merged sources, if a peer can merge, and updates of our store.
  func statistics() throws -> [Measurement] {
    let all = try averages("statistics of heart rate by day", SampleStream.allDays)
    let year = try averages("… of a year", SampleStream.firstYear)
    guard kind.name == PeerKind.own.name else {
      return try [all, year] + MergeLoad(kind, plan).measure()
    }
    let load = StatisticsLoad(plan)
    return try [all, year] + load.merged() + load.updates()
  }

  private func averages(_ title: String, _ range: Range<Int64>) throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .statistics) { digest in
      let watch = Stopwatch()
      let days = try series(.heartRate).map { try peer.averages(of: $0, in: range) }
      costs.append(watch.seconds * 1e3)
      for day in days.joined() { digest.add(day) }
    }
    return Measurement(title, "ms", .less, costs, digest)
  }
}
