public import Foundation

// Predicates for samples that hold a series of data.
extension HKSamplePredicate {
  /// Returns a predicate that matches workout routes.
  public static func workoutRoute(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKWorkoutRoute> {
    HKSamplePredicate<HKWorkoutRoute>(
      sampleType: HKSeriesType.workoutRoute(), nsPredicate: predicate)
  }

  /// Returns a predicate that matches heartbeat series.
  public static func heartbeatSeries(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
    HKSamplePredicate<HKHeartbeatSeriesSample>(
      sampleType: HKSeriesType.heartbeat(), nsPredicate: predicate)
  }

  /// Returns a predicate that matches electrocardiograms.
  public static func electrocardiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKElectrocardiogram> {
    HKSamplePredicate<HKElectrocardiogram>(
      sampleType: .electrocardiogramType(), nsPredicate: predicate)
  }
}
