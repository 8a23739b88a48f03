public import Foundation

extension HKSamplePredicate {
  /// Admits routes of workouts.
  public static func workoutRoute(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKWorkoutRoute> {
    HKSamplePredicate<HKWorkoutRoute>(
      sampleType: HKSeriesType.workoutRoute(), nsPredicate: predicate)
  }

  /// Admits heartbeat series.
  public static func heartbeatSeries(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
    HKSamplePredicate<HKHeartbeatSeriesSample>(
      sampleType: HKSeriesType.heartbeat(), nsPredicate: predicate)
  }

  /// Admits electrocardiograms.
  public static func electrocardiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKElectrocardiogram> {
    HKSamplePredicate<HKElectrocardiogram>(
      sampleType: .electrocardiogramType(), nsPredicate: predicate)
  }
}
