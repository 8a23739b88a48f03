import Foundation
import HealthStore

/// Encodes the properties of samples that a number and a unit cannot represent, as JSON.
///
/// A quantity is an object with `value` and `unit`.
enum SampleDetails {
  /// Returns whether samples of a type have details.
  static func mayHave(_ type: HKSampleType?) -> Bool {
    switch type {
    case is HKWorkoutType, is HKElectrocardiogramType, is HKAudiogramSampleType,
      is HKPrescriptionType, is HKStateOfMindType, is HKScoredAssessmentType,
      is HKMedicationDoseEventType:
      true
    default: false
    }
  }

  /// Returns the details of a sample and the name of its value, or nil for a type without details.
  static func details(of sample: HKSample?) -> (valueName: String, object: JSONObject)? {
    switch sample {
    case let workout as HKWorkout:
      (workout.workoutActivityType.exportName, WorkoutFigures(workout).object)
    case let sample as HKElectrocardiogram: ("", electrocardiogram(sample))
    case let sample as HKAudiogramSample: ("", audiogram(sample))
    case let sample as HKVisionPrescription: ("", prescription(sample))
    case let sample as HKStateOfMind: ("", stateOfMind(sample))
    case let sample as HKGAD7Assessment:
      ("", assessment(sample.score, "\(sample.risk)", sample.answers.map(\.rawValue)))
    case let sample as HKPHQ9Assessment:
      ("", assessment(sample.score, "\(sample.risk)", sample.answers.map(\.rawValue)))
    case let sample as HKMedicationDoseEvent: ("", dose(sample))
    default: nil
    }
  }

  private static func electrocardiogram(_ sample: HKElectrocardiogram) -> JSONObject {
    var object = JSONObject()
    object.add("classification", "\(sample.classification)")
    object.add("symptoms", "\(sample.symptomsStatus)")
    object.add(ifAny: "averageHeartRate", sample.averageHeartRate)
    object.add(ifAny: "samplingFrequency", sample.samplingFrequency)
    object.add("voltages", sample.numberOfVoltageMeasurements)
    object.add("voltageUnit", sample.voltageUnit.unitString)
    return object
  }

  private static func audiogram(_ sample: HKAudiogramSample) -> JSONObject {
    var object = JSONObject()
    object.add(
      "points",
      sample.sensitivityPoints.map { point in
        var object = JSONObject()
        object.add(ifAny: "frequency", point.frequency)
        object.add("tests", point.tests.map(test))
        return object
      })
    return object
  }

  private static func test(_ test: HKAudiogramSensitivityTest) -> JSONObject {
    var object = JSONObject()
    object.add("side", "\(test.side)")
    object.add("conduction", "\(test.type)")
    object.add("masked", raw: "\(test.masked)")
    object.add(ifAny: "sensitivity", test.sensitivity)
    object.add(ifAny: "lowerBound", test.clampingRange?.lowerBound)
    object.add(ifAny: "upperBound", test.clampingRange?.upperBound)
    return object
  }

  private static func prescription(_ sample: HKVisionPrescription) -> JSONObject {
    var object = JSONObject()
    object.add("prescription", "\(sample.prescriptionType)")
    if let date = sample.expirationDate {
      object.add("expires", UTCText.text(date.timeIntervalSinceReferenceDate))
    }
    let (glasses, contacts) = (sample as? HKGlassesPrescription, sample as? HKContactsPrescription)
    object.add(ifAny: "brand", contacts?.brand)
    for (eye, lens) in [
      ("right", glasses?.rightEye ?? contacts?.rightEye as HKLensSpecification?),
      ("left", glasses?.leftEye ?? contacts?.leftEye as HKLensSpecification?),
    ] {
      if let lens { object.add(eye, self.lens(lens)) }
    }
    return object
  }

  private static func lens(_ lens: HKLensSpecification) -> JSONObject {
    var object = JSONObject()
    for (name, quantity) in [
      ("sphere", lens.sphere), ("cylinder", lens.cylinder), ("axis", lens.axis),
      ("addPower", lens.addPower),
    ] {
      object.add(ifAny: name, quantity)
    }
    if let lens = lens as? HKContactsLensSpecification {
      object.add(ifAny: "baseCurve", lens.baseCurve)
      object.add(ifAny: "diameter", lens.diameter)
    }
    if let lens = lens as? HKGlassesLensSpecification {
      object.add(ifAny: "vertexDistance", lens.vertexDistance)
      object.add(ifAny: "farPupillaryDistance", lens.farPupillaryDistance)
      object.add(ifAny: "nearPupillaryDistance", lens.nearPupillaryDistance)
      if let prism = lens.prism {
        object.add(ifAny: "prismAmount", prism.amount)
        object.add(ifAny: "prismAngle", prism.angle)
      }
    }
    return object
  }

  private static func stateOfMind(_ sample: HKStateOfMind) -> JSONObject {
    var object = JSONObject()
    object.add("kind", "\(sample.kind)")
    object.add("valence", sample.valence)
    object.add("classification", "\(sample.valenceClassification)")
    object.add("labels", sample.labels.map { "\($0)" })
    object.add("associations", sample.associations.map { "\($0)" })
    return object
  }

  private static func assessment(_ score: Int, _ risk: String, _ answers: [Int]) -> JSONObject {
    var object = JSONObject()
    object.add("score", score)
    object.add("risk", risk)
    object.add("answers", raw: "[\(answers.map(String.init).joined(separator: ","))]")
    return object
  }

  private static func dose(_ sample: HKMedicationDoseEvent) -> JSONObject {
    func quantity(_ value: Double?) -> HKQuantity? {
      value.map { HKQuantity(unit: sample.unit, doubleValue: $0) }
    }
    var object = JSONObject()
    object.add("status", "\(sample.logStatus)")
    object.add(ifAny: "dose", quantity(sample.doseQuantity))
    object.add(ifAny: "scheduledDose", quantity(sample.scheduledDoseQuantity))
    if let date = sample.scheduledDate {
      object.add("scheduled", UTCText.text(date.timeIntervalSinceReferenceDate))
    }
    return object
  }
}
