/// The type of samples that hold a series of data, such as a workout's route.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
  /// The type of workout routes.
  public class func workoutRoute() -> HKSeriesType {
    TypeCatalogue.shared.workoutRoute
  }

  /// The type of heartbeat series.
  public class func heartbeat() -> HKSeriesType {
    TypeCatalogue.shared.heartbeat
  }
}
