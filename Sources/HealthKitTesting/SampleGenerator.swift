public import HealthKit

/// Generates samples of one subject who carries an iPhone and wears a Watch.
///
/// Equal seeds, calendars and days yield equal samples except for their UUIDs, independently of
/// earlier calls. Values and times are plausible and intended for tests only.
///
/// ```swift
/// let generator = SampleGenerator(seed: 1, calendar: health.calendar)
/// try await health.store.save(generator.steps(on: health.clock.now))
/// ```
public struct SampleGenerator: Sendable {
  /// The seed of the generator.
  public let seed: UInt64

  /// The calendar for days.
  public let calendar: Calendar

  /// The subject's iPhone, which counts steps and records the time in bed.
  public static let phone = revision("iPhone", "com.apple.health.phone", "iPhone17,1")

  /// The subject's Watch, which measures heart rates, counts steps and records sleep stages.
  public static let watch = revision("Watch", "com.apple.health.watch", "Watch7,5")

  /// The subject's glucose sensor.
  public static let glucoseSensor = revision("Glucose", "org.example.glucose", nil)

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - seed: The seed; each seed generates a different subject.
  ///   - calendar: The calendar for days: that of a `TestHealthData`, or by default the current
  ///     one.
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

  /// Returns the random numbers for one kind of samples on one day.
  func random(_ kind: Kind, _ day: DateInterval) -> SeededNumbers {
    let number = Int64(day.start.timeIntervalSinceReferenceDate)
    return SeededNumbers(seed ^ kind.rawValue << 56 ^ UInt64(bitPattern: number))
  }

  enum Kind: UInt64 {
    case heartRate = 1
    case steps, sleep, bloodGlucose
  }

  /// Returns the day of a date, from midnight to midnight.
  ///
  /// It has 23 or 25 hours at a daylight-saving transition.
  func day(of date: Date) -> DateInterval {
    let start = calendar.startOfDay(for: date)
    return DateInterval(
      start: start, end: calendar.date(byAdding: .day, value: 1, to: start) ?? start + 86_400)
  }
}

/// A pseudorandom number generator (SplitMix64).
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
