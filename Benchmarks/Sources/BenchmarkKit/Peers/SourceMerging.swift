/// A peer that can merge the samples of two sources as HealthKit does.
package protocol SourceMerging: BenchmarkPeer {
  /// The sum of each interval with samples, in ascending order. Intervals have the given length in
  /// milliseconds and are aligned to 1970.
  ///
  /// At each moment the samples of source 0 count, and those of source 1 if source 0 has none. A
  /// sample counts in proportion to its counted time, from its start up to its end.
  func mergedSums(of series: StreamSeries, every interval: Int64) throws -> [IntervalSum]
}

extension SourceMerging {
  /// The sums as one statement, for any database with window functions.
  ///
  /// Every start and end of a sample or an interval begins a segment of time. The active samples in
  /// a segment are the running total of starts minus ends.
  static func mergeStatement(_ series: StreamSeries, every interval: Int64) -> String {
    """
    WITH RECURSIVE
      chosen AS (
        SELECT source, start, "end", value / ("end" - start) AS rate FROM samples
        WHERE subject = \(series.subject) AND type = \(series.type.rawValue)),
      intervals(moment, last) AS (
        SELECT min(start) - min(start) % \(interval), max("end") FROM chosen
        UNION ALL
        SELECT moment + \(interval), last FROM intervals WHERE moment < last),
      edges AS (
        SELECT start AS moment, source, 1 AS change, rate FROM chosen
        UNION ALL SELECT "end", source, -1, -rate FROM chosen
        UNION ALL SELECT moment, NULL, 0, 0 FROM intervals),
      segments AS (
        SELECT moment, lead(moment) OVER (ORDER BY moment) - moment AS length,
          sum(change) FILTER (WHERE source = 0) OVER so_far AS firsts,
          sum(rate) FILTER (WHERE source = 0) OVER so_far AS first_rate,
          sum(change) FILTER (WHERE source = 1) OVER so_far AS seconds,
          sum(rate) FILTER (WHERE source = 1) OVER so_far AS second_rate
        FROM edges WINDOW so_far AS (ORDER BY moment))
    SELECT moment - moment % \(interval),
      sum(length * CASE WHEN firsts > 0 THEN first_rate ELSE second_rate END)
    FROM segments WHERE length > 0 AND (firsts > 0 OR seconds > 0) GROUP BY 1 ORDER BY 1
    """
  }
}
