import HealthStore

/// A quantity type in reports, and the format of its values.
struct ReportQuantity {
  let type: HKQuantityType
  let title: String
  let unit: HKUnit
  /// The name of the unit after a number.
  let unitName: String
  /// The number of decimal places.
  let digits: Int
  /// The factor by which a number in the unit is multiplied for display.
  var scale = 1.0

  var isSum: Bool { type.aggregationStyle == .cumulative }

  private init(
    _ identifier: HKQuantityTypeIdentifier, _ title: String, _ unit: String, _ name: String,
    digits: Int = 0, scale: Double = 1
  ) {
    type = HKQuantityType(identifier)
    self.title = title
    self.unit = HKUnit(from: unit)
    unitName = name
    self.digits = digits
    self.scale = scale
  }

  /// The types that a report shows, in page order.
  static let all: [ReportQuantity] = [
    ReportQuantity(.stepCount, "Steps", "count", "steps"),
    ReportQuantity(.distanceWalkingRunning, "Walking and running", "km", "km", digits: 1),
    ReportQuantity(.distanceCycling, "Cycling", "km", "km", digits: 1),
    ReportQuantity(.distanceSwimming, "Swimming", "m", "m"),
    ReportQuantity(.flightsClimbed, "Flights climbed", "count", "flights"),
    ReportQuantity(.activeEnergyBurned, "Active energy", "kcal", "kcal"),
    ReportQuantity(.appleExerciseTime, "Exercise", "min", "min"),
    ReportQuantity(.appleStandTime, "Standing", "min", "min"),
    ReportQuantity(.heartRate, "Heart rate", "count/min", "beats/min"),
    ReportQuantity(.restingHeartRate, "Resting heart rate", "count/min", "beats/min"),
    ReportQuantity(
      .walkingHeartRateAverage, "Walking heart rate", "count/min", "beats/min"),
    ReportQuantity(.heartRateVariabilitySDNN, "Heart rate variability", "ms", "ms"),
    ReportQuantity(
      .oxygenSaturation, "Blood oxygen", "%", "%", digits: 1, scale: 100),
    ReportQuantity(.respiratoryRate, "Respiratory rate", "count/min", "breaths/min", digits: 1),
    ReportQuantity(.bloodPressureSystolic, "Systolic blood pressure", "mmHg", "mmHg"),
    ReportQuantity(.bloodPressureDiastolic, "Diastolic blood pressure", "mmHg", "mmHg"),
    ReportQuantity(.bloodGlucose, "Blood glucose", "mg/dL", "mg/dL"),
    ReportQuantity(.bodyTemperature, "Body temperature", "degC", "°C", digits: 1),
    ReportQuantity(.vo2Max, "VO₂ max", "mL/min·kg", "mL/(min·kg)", digits: 1),
    ReportQuantity(.bodyMass, "Weight", "kg", "kg", digits: 1),
    ReportQuantity(
      .bodyFatPercentage, "Body fat", "%", "%", digits: 1, scale: 100),
    ReportQuantity(.dietaryEnergyConsumed, "Energy eaten", "kcal", "kcal"),
    ReportQuantity(.dietaryWater, "Water", "mL", "mL"),
    ReportQuantity(.environmentalAudioExposure, "Noise", "dBASPL", "dB"),
  ]

  /// Returns a number formatted for display.
  func text(_ value: Double) -> String { ReportText.number(value, digits) }

  func value(_ quantity: HKQuantity?) -> Double? {
    guard let quantity, quantity.is(compatibleWith: unit) else { return nil }
    let value = quantity.doubleValue(for: unit) * scale
    return value.isFinite ? value : nil
  }
}

/// Formats numbers and durations of a page.
enum ReportText {
  /// Returns a number with thousands separators.
  static func number(_ value: Double, _ digits: Int) -> String {
    let text = Figures.decimal(value, digits)
    let whole = text.prefix { $0 != "." }
    guard let count = Int(whole) else { return text }
    let isNegativeZero = count == 0 && text.hasPrefix("-")
    return (isNegativeZero ? "-" : "") + Figures.count(count) + text.dropFirst(whole.count)
  }

  /// Returns a duration such as `7 h 05 min`.
  static func duration(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    return "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min"
  }
}
