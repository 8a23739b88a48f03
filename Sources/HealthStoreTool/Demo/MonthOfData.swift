import Foundation
import HealthStore

/// A synthetic month of one subject who has a watch, a phone and a scale.
///
/// The data is the same in every run, except for the samples' identifiers.
struct MonthOfData {
  static let days = 30
  /// 2025-06-01T00:00:00Z, a Sunday.
  static let start = Date(timeIntervalSince1970: 1_748_736_000)

  private var random = DemoNumbers()
  private var result: [HKSample] = []
  private let watch = Recorder.watch
  private let phone = Recorder.phone
  private let scales = Recorder.scales
  private var weight = 74.6

  /// The schedule of one day, in hours since midnight.
  private struct Day {
    var midnight: Date
    var wakes: Double
    var sleeps: Double
    var workout: ClosedRange<Double>?

    func date(_ hour: Double) -> Date { midnight + (hour * 3600).rounded() }

    func isAwake(_ hour: Double) -> Bool { hour >= wakes && hour < sleeps }

    func isWorkingOut(_ hour: Double) -> Bool { workout?.contains(hour) ?? false }
  }

  /// Returns the samples of the month, day by day.
  mutating func samples() -> [HKSample] {
    result = []
    for number in 0..<Self.days {
      let isWeekend = number % 7 == 0 || number % 7 == 6
      let begins = 17.5 + random.uniform(0...1)
      let day = Day(
        midnight: Self.start + Double(number) * 86_400,
        wakes: (isWeekend ? 8 : 6.5) + random.uniform(-0.4...0.4),
        sleeps: 22.9 + random.uniform(-0.5...0.5),
        workout: number % 3 == 1 ? begins...begins + 0.75 : nil)
      addNight(before: day)
      addHeart(day)
      addMovement(day)
      addDailies(day)
    }
    return result
  }

  /// Adds sleep in cycles of about ninety minutes, with less deep sleep towards the morning.
  private mutating func addNight(before day: Day) {
    let type = HKCategoryType(.sleepAnalysis)
    var hour = -1.0 + random.uniform(-0.3...0.4)
    var cycle = 0
    while hour < day.wakes {
      let deep = max(0.08, 0.55 - 0.12 * Double(cycle))
      let stages: [(HKCategoryValueSleepAnalysis, Double)] = [
        (.asleepCore, 0.4), (.asleepDeep, deep), (.asleepCore, 0.35),
        (.asleepREM, 0.2 + 0.09 * Double(cycle)), (.awake, 0.04),
      ]
      for (stage, length) in stages where hour < day.wakes {
        let end = min(hour + length * random.uniform(0.75...1.25), day.wakes)
        add(
          type, stage.rawValue, day.date(hour), day.date(end), watch,
          [HKMetadataKeyTimeZone: "Europe/Berlin"])
        hour = max(end, hour + 0.01)
      }
      cycle += 1
    }
  }

  private mutating func addHeart(_ day: Day) {
    let type = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    var second = random.uniform(0...60)
    while second < 86_400 {
      let hour = second / 3600
      // 1 sedentary, 2 active.
      var context = 1
      var rate = 52 + 2.5 * cos((hour - 4) / 24 * 2 * .pi) * -1
      if day.isAwake(hour) { rate = 70 + 7 * sin((hour - 9) / 24 * 2 * .pi) }
      var step = random.uniform(260...340)
      if let workout = day.workout, workout.contains(hour) {
        let part = (hour - workout.lowerBound) / (workout.upperBound - workout.lowerBound)
        rate = 112 + 44 * sin(min(part * 1.25, 1) * .pi / 2) - (part > 0.9 ? 18 : 0)
        step = 5
        context = 2
      }
      let value = max(44, (rate + 3.4 * random.normal()).rounded())
      let time = day.midnight + second.rounded()
      add(
        type, value, unit, time, time, watch,
        [HKMetadataKeyHeartRateMotionContext: NSNumber(value: context)])
      second += step
    }
  }

  private mutating func addMovement(_ day: Day) {
    var walksUntil = 0.0
    var energy = 0.0
    for minute in 0..<1440 {
      let hour = Double(minute) / 60
      guard day.isAwake(hour) else { continue }
      if hour >= walksUntil, random.uniform(0...1) < 0.007 {
        walksUntil = hour + random.uniform(0.05...0.4)
      }
      let isWalking = hour < walksUntil
      var steps = isWalking ? 96 + 11 * random.normal() : max(0, 3 + 2 * random.normal())
      if day.isWorkingOut(hour) { steps = 158 + 6 * random.normal() }
      steps = steps.rounded()
      let start = day.date(hour)
      let end = start + 60
      if steps >= 1 { add(HKQuantityType(.stepCount), steps, .count(), start, end, phone) }
      if steps >= 60 {
        let metres = (steps * (day.isWorkingOut(hour) ? 1.05 : 0.72) * 100).rounded() / 100
        add(HKQuantityType(.distanceWalkingRunning), metres, .meter(), start, end, phone)
      }
      energy += 0.25 + steps * 0.041
      if minute % 5 == 4 {
        add(
          HKQuantityType(.activeEnergyBurned), (energy * 1000).rounded() / 1000, .kilocalorie(),
          end - 300, end, watch)
        energy = 0
      }
    }
  }

  private mutating func addDailies(_ day: Day) {
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    for hour in Int(day.wakes.rounded(.up))..<Int(day.sleeps) {
      let value: HKCategoryValueAppleStandHour = random.uniform(0...1) < 0.8 ? .stood : .idle
      let start = day.date(Double(hour))
      add(HKCategoryType(.appleStandHour), value.rawValue, start, start + 3600, watch)
    }
    var hour = 0.5
    while hour < day.wakes {
      let time = day.date(hour)
      let breaths = ((14.2 + 0.7 * random.normal()) * 2).rounded() / 2
      add(HKQuantityType(.respiratoryRate), breaths, perMinute, time, time, watch)
      let saturation = min(1, ((0.966 + 0.008 * random.normal()) * 100).rounded() / 100)
      add(HKQuantityType(.oxygenSaturation), saturation, .percent(), time, time, watch)
      hour += 0.5
    }
    for _ in 0..<4 {
      let time = day.date(random.uniform(1...22))
      let value = max(12, ((48 + 11 * random.normal()) * 100).rounded() / 100)
      add(
        HKQuantityType(.heartRateVariabilitySDNN), value, .secondUnit(with: .milli), time,
        time + 60, watch)
    }
    let noon = day.date(12)
    let resting = (56 + 1.5 * random.normal()).rounded()
    add(HKQuantityType(.restingHeartRate), resting, perMinute, day.midnight, noon, watch)
    weight += 0.12 * random.normal() - 0.02
    let time = day.date(day.wakes + 0.3)
    add(
      HKQuantityType(.bodyMass), (weight * 10).rounded() / 10, .gramUnit(with: .kilo), time, time,
      scales, [HKMetadataKeyWasUserEntered: NSNumber(value: false)])
  }

  private mutating func add(
    _ type: HKQuantityType, _ value: Double, _ unit: HKUnit, _ start: Date, _ end: Date,
    _ recorder: Recorder, _ metadata: [String: Any]? = nil
  ) {
    let sample = try? HKQuantitySample.validated(
      type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: start, end: end,
      device: recorder.device, metadata: metadata, sourceRevision: recorder.revision)
    if let sample { result.append(sample) }
  }

  private mutating func add(
    _ type: HKCategoryType, _ value: Int, _ start: Date, _ end: Date, _ recorder: Recorder,
    _ metadata: [String: Any]? = nil
  ) {
    let sample = try? HKCategorySample.validated(
      type: type, value: value, start: start, end: end, device: recorder.device,
      metadata: metadata, sourceRevision: recorder.revision)
    if let sample { result.append(sample) }
  }
}

/// A seeded random number generator (SplitMix64), so that every demonstration shows the same month.
private struct DemoNumbers: RandomNumberGenerator {
  private var state: UInt64 = 2025

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// Returns a normally distributed number with mean 0 and standard deviation 1.
  mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + uniform(0...1) }
  }
}
