import HealthStore

/// Spells names and texts in line protocol.
enum LineProtocol {
  /// The name of a measurement.
  static func measurement(_ text: String) -> String { escaped(text, [",", " "]) }

  /// The value of a tag; empty for none.
  static func tag(_ text: String) -> String { escaped(text, [",", " ", "="]) }

  /// A text between quotation marks.
  static func fieldText(_ text: String) -> String {
    text.replacing { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil }
  }

  /// There is no way to spell a control character, nor a backslash at the end, which would take the
  /// comma behind it for its own.
  private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
    var text = text.escaping { $0.properties.generalCategory == .control }
    while text.unicodeScalars.last == "\\" { text.unicodeScalars.removeLast() }
    return text.replacing { special.contains($0) ? "\\\($0)" : nil }
  }

  /// The fields of a workout behind its duration, each in its fixed unit.
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
