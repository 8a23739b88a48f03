/// The type of samples that hold a series of data, such as a workout's route.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
  /// Returns the type of workout routes.
  public class func workoutRoute() -> HKSeriesType {
    TypeCatalogue.shared.workoutRoute
  }

  /// Returns the type of heartbeat series.
  public class func heartbeat() -> HKSeriesType {
    TypeCatalogue.shared.heartbeat
  }
}
