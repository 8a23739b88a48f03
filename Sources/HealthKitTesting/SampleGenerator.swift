public import HealthKit

/// Makes up samples of one person who carries an iPhone and wears a Watch.
///
/// The same seed, calendar and day give the same samples, but for their UUIDs, whatever was made
/// before. Values and times are plausible, no more: they are for tests, not for studies.
///
/// ```swift
/// let generator = SampleGenerator(seed: 1, calendar: health.calendar)
/// try await health.store.save(generator.steps(on: health.clock.now))
/// ```
public struct SampleGenerator: Sendable {
  /// What the samples depend on.
  public let seed: UInt64

  /// What days are counted in.
  public let calendar: Calendar

  /// The person's iPhone, which counts steps and knows when they are in bed.
  public static let phone = revision("iPhone", "com.apple.health.phone", "iPhone17,1")

  /// The person's Watch, which measures heart rates, counts steps and tells stages of sleep.
  public static let watch = revision("Watch", "com.apple.health.watch", "Watch7,5")

  /// The person's glucose sensor.
  public static let glucoseSensor = revision("Glucose", "org.example.glucose", nil)

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - seed: Another number is another person.
  ///   - calendar: What days are counted in; that of a `TestHealthData`, or the current one.
  public init(seed: UInt64, calendar: Calendar = .current) {
    self.seed = seed
    self.calendar = calendar
  }

  private static func revision(
    _ name: String, _ bundleIdentifier: String, _ productType: String?
  ) -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: name, bundleIdentifier: bundleIdentifier), version: "26.1",
      productType: productType,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 26, minorVersion: 1, patchVersion: 0))
  }

  /// Numbers for one kind of samples on one day.
  func random(_ kind: Kind, _ day: DateInterval) -> SeededNumbers {
    let number = Int64(day.start.timeIntervalSinceReferenceDate)
    return SeededNumbers(seed ^ kind.rawValue << 56 ^ UInt64(bitPattern: number))
  }

  enum Kind: UInt64 {
    case heartRate = 1
    case steps, sleep, bloodGlucose
  }

  /// The day that a date lies in, from midnight to midnight: 23 or 25 hours where the clock is set.
  func day(of date: Date) -> DateInterval {
    let start = calendar.startOfDay(for: date)
    return DateInterval(
      start: start, end: calendar.date(byAdding: .day, value: 1, to: start) ?? start + 86_400)
  }
}

/// A sequence of numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }
}
