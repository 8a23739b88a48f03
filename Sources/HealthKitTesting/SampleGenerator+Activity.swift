public import HealthKit

// Heart rates and steps.
extension SampleGenerator {
  /// Returns the heart rates of a day as recorded by the Watch: every four to six minutes, low at
  /// night and higher in the afternoon.
  ///
  /// - Parameter date: A date in the day.
  /// - Returns: About 290 instantaneous samples in count/min, in chronological order.
  /// - Throws: `HKInvalidSampleError` if the date is not valid for samples.
  public func heartRates(on date: Date) throws -> [HKQuantitySample] {
    let day = day(of: date)
    var random = random(.heartRate, day)
    let unit = HKUnit.count().unitDivided(by: .minute())
    var samples: [HKQuantitySample] = []
    var time = day.start + random.uniform(0...300).rounded()
    while time < day.end {
      let hour = Double(calendar.component(.hour, from: time))
      let isAwake = (7..<23).contains(hour)
      let base = isAwake ? 72 + 8 * sin((hour - 9) / 24 * 2 * .pi) : 54
      let context: HKHeartRateMotionContext = isAwake ? .notSet : .sedentary
      samples.append(
        try .validated(
          type: HKQuantityType(.heartRate),
          quantity: HKQuantity(
            unit: unit, doubleValue: (base + random.uniform(-6...6)).rounded()),
          start: time, end: time,
          metadata: [HKMetadataKeyHeartRateMotionContext: context.rawValue],
          sourceRevision: Self.watch))
      time += random.uniform(240...360).rounded()
    }
    return samples
  }

  /// Returns the steps of a day as counted by the iPhone and the Watch, both for the same walks.
  ///
  /// The sum of all samples is nearly twice the actual number of steps. Statistics merge them: the
  /// Watch counts where it has samples, and the iPhone elsewhere.
  ///
  /// - Parameter date: A date in the day.
  /// - Returns: Samples of up to ten minutes, those of the iPhone first.
  /// - Throws: `HKInvalidSampleError` if the date is not valid for samples.
  public func steps(on date: Date) throws -> [HKQuantitySample] {
    let day = day(of: date)
    var random = random(.steps, day)
    var phone: [HKQuantitySample] = []
    var watch: [HKQuantitySample] = []
    var time = day.start + 7 * 3600
    while true {
      time += random.uniform(600...3600).rounded()
      let length = random.uniform(120...600).rounded()
      guard time + length < day.start + 22 * 3600 else { break }
      let count = (length * random.uniform(1.4...1.9)).rounded()
      phone.append(try steps(count, from: time, for: length, Self.phone))
      // The Watch starts slightly later, counts slightly differently, and is charged in the
      // evening.
      let delay = random.uniform(5...30).rounded()
      let seen = (count * random.uniform(0.9...1.05)).rounded()
      if time < day.start + 20 * 3600 {
        watch.append(try steps(seen, from: time + delay, for: length, Self.watch))
      }
      time += length
    }
    return phone + watch
  }

  private func steps(
    _ count: Double, from start: Date, for length: TimeInterval, _ revision: HKSourceRevision
  ) throws -> HKQuantitySample {
    try .validated(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: start, end: start + length, sourceRevision: revision)
  }
}
