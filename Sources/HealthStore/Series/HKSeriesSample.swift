/// A sample that holds a series of data, such as a workout's route.
///
/// Abstract; builders create objects of subclasses, and queries read their data.
open class HKSeriesSample: HKSample, @unchecked Sendable {
  /// The number of elements in the series.
  open var count: Int { seriesPayload?.count ?? 0 }
}
