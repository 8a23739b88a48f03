import HealthStore

/// The coding of a sample type in FHIR: LOINC codes and a UCUM unit.
///
/// A test compares the table with the one in Docs/fhir.md.
struct FHIRCode {
  /// The LOINC codes with their names, the most specific first.
  var codes: [(code: String, name: String)]
  /// The unit to which values are converted, or nil if they are not.
  var unit: HKUnit?
  /// The UCUM code of the unit, which may be more specific than the unit itself.
  var unitCode: String?
  var category: String?

  private init(
    _ codes: [(code: String, name: String)], _ unit: String?, ucum: String? = nil,
    _ category: String? = nil
  ) {
    self.codes = codes
    self.unit = unit.map { HKUnit(from: $0) }
    unitCode = ucum ?? unit.flatMap { UCUM.code(HKUnit(from: $0).unitString) }
    self.category = category
  }

  /// Returns the coding of samples of a type in a unit, or nil if the type has no LOINC code.
  static func code(_ identifier: String, unit: HKUnit?) -> FHIRCode? {
    if identifier == HKQuantityTypeIdentifier.bloodGlucose.rawValue,
      unit?.unitString.contains("mol<") == true
    {
      return glucoseInMoles
    }
    return table[identifier]
  }

  private static let glucoseInMoles = FHIRCode(
    [("15074-8", "Glucose [Moles/volume] in Blood")], "mmol<180.1558800000541>/L")

  /// The panel that has systolic and diastolic pressure as components.
  static let bloodPressure = FHIRCode(
    [("85354-9", "Blood pressure panel with all children optional")], nil, vitalSigns)

  private static let vitalSigns = "vital-signs"
  private static let activity = "activity"

  /// The codings by type identifier.
  static let table: [String: FHIRCode] = {
    var table: [String: FHIRCode] = [:]
    func add(_ type: HKQuantityTypeIdentifier, _ code: FHIRCode) { table[type.rawValue] = code }
    add(.heartRate, FHIRCode([("8867-4", "Heart rate")], "count/min", vitalSigns))
    add(.restingHeartRate, FHIRCode([("40443-4", "Heart rate --resting")], "count/min", vitalSigns))
    add(
      .heartRateVariabilitySDNN,
      FHIRCode(
        [("80404-7", "R-R interval.standard deviation (Heart rate variability)")], "ms"))
    add(
      .oxygenSaturation,
      FHIRCode(
        [
          ("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"),
          ("2708-6", "Oxygen saturation in Arterial blood"),
        ], "%", vitalSigns))
    add(.respiratoryRate, FHIRCode([("9279-1", "Respiratory rate")], "count/min", vitalSigns))
    add(.bodyTemperature, FHIRCode([("8310-5", "Body temperature")], "degC", vitalSigns))
    add(
      .bloodPressureSystolic,
      FHIRCode([("8480-6", "Systolic blood pressure")], "mmHg", vitalSigns))
    add(
      .bloodPressureDiastolic,
      FHIRCode([("8462-4", "Diastolic blood pressure")], "mmHg", vitalSigns))
    add(.bodyMass, FHIRCode([("29463-7", "Body weight")], "kg", vitalSigns))
    add(.height, FHIRCode([("8302-2", "Body height")], "cm", vitalSigns))
    add(
      .bodyMassIndex,
      FHIRCode(
        [("39156-5", "Body mass index (BMI) [Ratio]")], "count", ucum: "kg/m2", vitalSigns))
    add(.bodyFatPercentage, FHIRCode([("41982-0", "Percentage of body fat Measured")], "%"))
    add(
      .waistCircumference,
      FHIRCode([("8280-0", "Waist Circumference at umbilicus by Tape measure")], "cm"))
    add(.bloodGlucose, FHIRCode([("2339-0", "Glucose [Mass/volume] in Blood")], "mg/dL"))
    add(.forcedExpiratoryVolume1, FHIRCode([("20150-9", "FEV1")], "L"))
    add(
      .peakExpiratoryFlowRate,
      FHIRCode(
        [
          (
            "19935-6",
            "Maximum expiratory gas flow Respiratory system airway by Peak flow meter"
          )
        ], "L/min"))
    add(
      .stepCount,
      FHIRCode(
        [("55423-8", "Number of steps in unspecified time Pedometer")], "count",
        ucum: "{steps}", activity))
    add(
      .distanceWalkingRunning,
      FHIRCode([("55430-3", "Walking distance unspecified time Pedometer")], "m", activity))
    add(.activeEnergyBurned, FHIRCode([("41981-2", "Calories burned")], "kcal", activity))
    add(.dietaryEnergyConsumed, FHIRCode([("9052-2", "Calorie intake total")], "kcal"))
    table[HKCorrelationTypeIdentifier.bloodPressure.rawValue] = bloodPressure
    table[HKObjectType.electrocardiogramType().identifier] =
      FHIRCode([("11524-6", "EKG study")], nil)
    table[HKScoredAssessmentTypeIdentifier.GAD7.rawValue] = FHIRCode(
      [("70274-6", "Generalized anxiety disorder 7 item (GAD-7) total score [Reported.PHQ]")],
      nil, "survey")
    table[HKScoredAssessmentTypeIdentifier.PHQ9.rawValue] = FHIRCode(
      [("44261-6", "Patient Health Questionnaire 9 item (PHQ-9) total score [Reported]")], nil,
      "survey")
    return table
  }()
}
