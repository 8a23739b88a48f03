extension WorkoutTotals {
  /// Computes the totals of samples.
  init(_ statistics: [WorkoutStatistic]) {
    func sum(_ types: [HKQuantityTypeIdentifier]) -> HKQuantity? {
      for type in types {
        let found = statistics.first { $0.type.identifier == type.rawValue }
        if let found, let sum = found.values.sum {
          return HKQuantity(unit: found.unit, doubleValue: sum)
        }
      }
      return nil
    }
    self.init(
      energyBurned: sum([.activeEnergyBurned]),
      distance: sum([
        .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
        .distanceDownhillSnowSports, .distanceCrossCountrySkiing, .distancePaddleSports,
        .distanceRowing, .distanceSkatingSports,
      ]), swimmingStrokeCount: sum([.swimmingStrokeCount]), flightsClimbed: sum([.flightsClimbed]))
  }
}
