import HealthStore

/// Escapes names and texts for InfluxDB line protocol.
enum LineProtocol {
  /// Returns the name of a measurement.
  static func measurement(_ text: String) -> String { escaped(text, [",", " "]) }

  /// Returns the value of a tag; if it is empty, the tag must be omitted.
  static func tag(_ text: String) -> String { escaped(text, [",", " ", "="]) }

  /// Returns the text of a string field, without the quotation marks.
  static func fieldText(_ text: String) -> String {
    text.replacing { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil }
  }

  /// Escapes special characters with a backslash.
  ///
  /// Line protocol cannot represent control characters, which become `\u{…}`, nor a trailing
  /// backslash, which would escape the following comma and is removed.
  private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
    var text = text.escaping { $0.properties.generalCategory == .control }
    while text.unicodeScalars.last == "\\" { text.unicodeScalars.removeLast() }
    return text.replacing { special.contains($0) ? "\\\($0)" : nil }
  }

  /// Returns the fields of a workout after its duration, each in a fixed unit.
  static func fields(of workout: WorkoutFigures) -> String {
    let rate = HKUnit(from: "count/min")
    let numbers: [(name: String, quantity: HKQuantity?, unit: HKUnit)] = [
      ("averageHeartRate", workout.averageHeartRate, rate),
      ("distance", workout.distance, .meter()), ("energy", workout.energy, .kilocalorie()),
      ("flights", workout.flights, .count()),
      ("maximumHeartRate", workout.maximumHeartRate, rate),
      ("strokes", workout.strokes, .count()),
    ]
    var fields = ",activeDuration=\(Figures.number(workout.activeSeconds))"
    fields += ",activity=\"\(fieldText(workout.activity))\""
    for (name, quantity, unit) in numbers {
      if let number = quantity?.number(in: unit) {
        fields += ",\(name)=\(Figures.number(number))"
        if unit != .count() { fields += ",\(name)Unit=\"\(unit.unitString)\"" }
      }
    }
    return fields
  }
}
