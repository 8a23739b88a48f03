import HealthStore
import SampleLog

/// The result of `healthstore expire` or of its dry run, as text and as JSON.
struct ExpireReport {
  /// The time before which expired samples ended, in seconds since 2001-01-01 00:00 UTC.
  var cutoff: Double
  var isDry: Bool
  var series: [ExpiryResult.Series] = []
  var commitCount = 0
  var seconds = 0.0
  var compaction: CompactionResult?
  /// The statistics of the store after expiry.
  var statistics: StoreStatistics?

  init(cutoff: Double, isDry: Bool) {
    self.cutoff = cutoff
    self.isDry = isDry
  }

  var sampleCount: Int { series.reduce(0) { $0 + $1.sampleCount } }

  var lines: [String] {
    var lines: [String] = []
    if !series.isEmpty {
      let isNamed = series.contains { !$0.subject.isEmpty }
      var table = TextTable(
        (isNamed ? [("SUBJECT", .left)] : []) + [("TYPE", .left), ("SAMPLES", .right)])
      for one in series {
        table.add(
          (isNamed ? [one.subject] : [])
            + [HKSampleType.shortName(ofIdentifier: one.type), Figures.count(one.sampleCount)])
      }
      lines += table.lines() + [""]
    }
    let what = "\(Figures.count(sampleCount, "sample")) that ended before \(UTCText.text(cutoff))"
    if isDry { return lines + ["\(what) would be deleted"] }
    lines.append(
      "\(what) deleted in \(Figures.count(commitCount, "commit")), \(Figures.time(seconds))")
    if let compaction {
      lines.append(
        "compacted: \(Figures.count(compaction.samplesDropped, "deleted sample")) dropped, "
          + "\(Figures.count(statistics?.byteCount ?? 0)) bytes now")
    } else if let statistics {
      lines += StatsCommand.advice(statistics)
    }
    return lines
  }

  var object: JSONObject {
    var object = JSONObject()
    object.add("endingBefore", UTCText.text(cutoff))
    object.add(isDry ? "wouldDelete" : "deleted", sampleCount)
    object.add(
      "types",
      series.map { one in
        var object = JSONObject()
        object.add("subject", one.subject)
        object.add("type", one.type)
        object.add("samples", one.sampleCount)
        return object
      })
    if isDry { return object }
    object.add("commits", commitCount)
    if let compaction { object.add("samplesDropped", compaction.samplesDropped) }
    if let statistics {
      object.add("bytes", statistics.byteCount)
      object.add("logBytes", statistics.logByteCount)
      object.add("reclaimableBytes", statistics.reclaimableByteCount)
    }
    return object
  }
}
