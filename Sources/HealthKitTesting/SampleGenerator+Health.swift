public import HealthKit

// Sleep and blood glucose, and all samples of a day.
extension SampleGenerator {
  /// Returns the sleep of the night that ends on a day: the time in bed from the iPhone, and sleep
  /// stages from the Watch.
  ///
  /// - Parameter date: A date in the day on which the subject wakes up.
  /// - Returns: The time in bed, then contiguous stages in chronological order.
  /// - Throws: `HKInvalidSampleError` if the date is not valid for samples.
  public func sleep(endingOn date: Date) throws -> [HKCategorySample] {
    let day = day(of: date)
    var random = random(.sleep, day)
    let asleep = day.start + random.uniform(-3600...1800).rounded()
    let awake = day.start + (6.5 * 3600 + random.uniform(0...3600)).rounded()
    var samples = [
      try stage(.inBed, asleep - random.uniform(300...1200).rounded(), awake + 300, Self.phone)
    ]
    var time = asleep
    // Cycles of about ninety minutes, with less deep sleep and more REM sleep towards the morning.
    var cycle = 0
    while time < awake {
      let stages: [(HKCategoryValueSleepAnalysis, minutes: Double)] = [
        (.asleepCore, 25), (.asleepDeep, Double(max(5, 35 - 8 * cycle))), (.asleepCore, 20),
        (.asleepREM, Double(10 + 5 * cycle)), (.awake, 2),
      ]
      for (value, minutes) in stages where time < awake {
        let end = min(awake, time + (minutes * 60 * random.uniform(0.8...1.2)).rounded())
        samples.append(try stage(value, time, end, Self.watch))
        time = end
      }
      cycle += 1
    }
    return samples
  }

  private func stage(
    _ value: HKCategoryValueSleepAnalysis, _ start: Date, _ end: Date,
    _ revision: HKSourceRevision
  ) throws -> HKCategorySample {
    try .validated(
      type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: start, end: end,
      metadata: [HKMetadataKeyTimeZone: calendar.timeZone.identifier], sourceRevision: revision)
  }

  /// Returns the blood glucose of a day, as measured by a sensor every five minutes, with sync
  /// identifiers.
  ///
  /// Saving the same day again has no effect. Saving a greater version replaces the samples, which
  /// anchored queries report as deletions and additions.
  ///
  /// - Parameters:
  ///   - date: A date in the day.
  ///   - version: The sync version. Each version has different values.
  /// - Returns: A sample in mg/dL for every five minutes, in chronological order.
  /// - Throws: `HKInvalidSampleError` if the date is not valid for samples.
  public func bloodGlucose(on date: Date, version: Int = 1) throws -> [HKQuantitySample] {
    let day = day(of: date)
    var random = random(.bloodGlucose, day)
    let unit = HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    let meals = [7.5, 12.5, 19].map { ($0 + random.uniform(-0.5...0.5)) * 3600 }
    return try stride(from: 0, to: day.duration, by: 300).map { second in
      let rise = meals.reduce(0) { sum, meal in
        let hours = (second - meal) / 3600
        return hours > 0 ? sum + 90 * hours * exp(1 - hours / 0.75) : sum
      }
      let value = 90 + rise + random.uniform(-4...4) + Double(version - 1)
      return try .validated(
        type: HKQuantityType(.bloodGlucose),
        quantity: HKQuantity(unit: unit, doubleValue: value.rounded()), start: day.start + second,
        end: day.start + second,
        metadata: [
          HKMetadataKeySyncIdentifier: "glucose \(Int((day.start + second).timeIntervalSince1970))",
          HKMetadataKeySyncVersion: version,
        ], sourceRevision: Self.glucoseSensor)
    }
  }

  /// Returns all samples of a day: heart rates, steps, sleep and blood glucose.
  ///
  /// - Parameter date: A date in the day.
  /// - Returns: The samples, grouped by kind.
  /// - Throws: `HKInvalidSampleError` if the date is not valid for samples.
  public func samples(on date: Date) throws -> [HKSample] {
    try heartRates(on: date) + steps(on: date) + sleep(endingOn: date) + bloodGlucose(on: date)
  }

  /// Saves all samples of consecutive days, with one save per day.
  ///
  /// - Parameters:
  ///   - count: The number of days. 365 days have about 235,000 samples.
  ///   - date: A date in the first day.
  ///   - store: The store to save to.
  /// - Throws: `HKError` if the samples cannot be saved.
  public func save(days count: Int, from date: Date, into store: HKHealthStore) async throws {
    for number in 0..<count {
      let day = calendar.date(byAdding: .day, value: number, to: date) ?? date
      try await store.save(try samples(on: day))
    }
  }
}
