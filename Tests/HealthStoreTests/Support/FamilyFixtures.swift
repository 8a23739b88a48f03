import Foundation

@testable import HealthStore

/// Samples of the families that have a payload, with all fields set and with as few as possible.
enum FamilyFixtures {
  static var all: [HKSample] {
    get throws {
      try minds + assessments + audiograms + prescriptions + records + cards + doses + medications
        + documents
    }
  }

  static var minds: [HKStateOfMind] {
    get throws {
      [
        try HKStateOfMind.validated(
          date: testStart, kind: .momentaryEmotion, valence: 0.1 + 0.2,
          labels: [.joyful, .satisfied], associations: [.weather, .community],
          device: Make.device(name: "D"), metadata: ["note": "m"]),
        try HKStateOfMind.validated(date: testStart + 60, kind: .dailyMood, valence: -1),
      ]
    }
  }

  static var assessments: [HKScoredAssessment] {
    get throws {
      [
        try HKGAD7Assessment.validated(
          date: testStart,
          answers: [
            .notAtAll, .severalDays, .moreThanHalfTheDays, .nearlyEveryDay, .notAtAll,
            .nearlyEveryDay, .severalDays,
          ], metadata: ["note": "a"]),
        try HKPHQ9Assessment.validated(
          date: testStart,
          answers: Array(repeating: .moreThanHalfTheDays, count: 8) + [.preferNotToAnswer]),
      ]
    }
  }

  static func level(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .decibelHearingLevel(), doubleValue: value)
  }

  static var audiograms: [HKAudiogramSample] {
    get throws {
      let masked = try HKAudiogramSensitivityTest(
        sensitivity: level(71.5), type: .air, masked: true, side: .right,
        clampingRange: HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: 80))
      let open = try HKAudiogramSensitivityTest(
        sensitivity: level(-10), type: .air, masked: false, side: .left,
        clampingRange: HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: nil))
      let points = [
        try HKAudiogramSensitivityPoint(
          frequency: HKQuantity(unit: .hertz(), doubleValue: 500), leftEarSensitivity: level(20),
          rightEarSensitivity: nil),
        try HKAudiogramSensitivityPoint(
          frequency: HKQuantity(unit: .hertzUnit(with: .kilo), doubleValue: 1),
          tests: [masked, open]),
      ]
      return [
        try HKAudiogramSample.validated(
          sensitivityPoints: points, start: testStart, end: testStart + 300,
          device: Make.device(name: "Booth"), metadata: ["note": "h"]),
        try HKAudiogramSample.validated(sensitivityPoints: [], start: testStart, end: testStart),
      ]
    }
  }

  static func dioptres(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .diopter(), doubleValue: value)
  }

  static func millimetres(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .meterUnit(with: .milli), doubleValue: value)
  }

  static var glasses: HKGlassesLensSpecification {
    HKGlassesLensSpecification(
      sphere: dioptres(-1.25), cylinder: dioptres(0.5),
      axis: HKQuantity(unit: .degreeAngle(), doubleValue: 90), addPower: dioptres(2),
      vertexDistance: millimetres(12),
      prism: HKVisionPrism(
        amount: HKQuantity(unit: .prismDiopter(), doubleValue: 2),
        angle: HKQuantity(unit: .degreeAngle(), doubleValue: 45), eye: .right),
      farPupillaryDistance: millimetres(31), nearPupillaryDistance: millimetres(29.5))
  }

  static var contacts: HKContactsLensSpecification {
    HKContactsLensSpecification(
      sphere: dioptres(-3), cylinder: nil, axis: nil, addPower: nil, baseCurve: millimetres(8.6),
      diameter: millimetres(14.2))
  }

  static var prescriptions: [HKVisionPrescription] {
    get throws {
      [
        try HKGlassesPrescription.validated(
          rightEyeSpecification: glasses,
          leftEyeSpecification: HKGlassesLensSpecification(
            sphere: dioptres(0), cylinder: nil, axis: nil, addPower: nil, vertexDistance: nil,
            prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil),
          dateIssued: testStart, expirationDate: testStart + 86_400 * 730,
          device: Make.device(name: "D"), metadata: ["note": "v"]),
        try HKContactsPrescription.validated(
          rightEyeSpecification: contacts, leftEyeSpecification: nil, brand: "Contour",
          dateIssued: testStart, expirationDate: nil),
      ]
    }
  }

  static var records: [HKClinicalRecord] {
    get throws {
      let resource = HKFHIRResource(
        resourceType: .observation, identifier: "obs-1", fhirVersion: .primaryR4(),
        data: Data(#"{"resourceType": "Observation",  "id":"obs-1"}"#.utf8),
        sourceURL: URL(string: "https://clinic.example/fhir/Observation/obs-1"))
      return [
        try HKClinicalRecord.validated(
          type: HKClinicalType(.labResultRecord), displayName: "Haemoglobin A1c",
          fhirResource: resource, start: testStart, end: testStart, metadata: ["note": "r"],
          sourceRevision: revision("org.example.clinic")),
        try HKClinicalRecord.validated(
          type: HKClinicalType(.allergyRecord), displayName: "", fhirResource: nil,
          start: testStart, end: testStart),
      ]
    }
  }
}

extension FamilyFixtures {
  static var cards: [HKVerifiableClinicalRecord] {
    get throws {
      [
        try HKVerifiableClinicalRecord.validated(
          recordTypes: ["https://smarthealth.cards#covid19", "own"],
          issuerIdentifier: "https://issuer.example",
          subject: HKVerifiableClinicalRecordSubject(
            fullName: "Ada Lovelace",
            dateOfBirthComponents: DateComponents(year: 1815, month: 12, day: 10)),
          issuedDate: testStart + 5, relevantDate: testStart, expirationDate: testStart + 86_400,
          itemNames: ["Dose 1", "Dose 2"], sourceType: .smartHealthCard,
          dataRepresentation: Data("eyJ.a.b".utf8), metadata: ["note": "c"]),
        try HKVerifiableClinicalRecord.validated(
          recordTypes: [], issuerIdentifier: "",
          subject: HKVerifiableClinicalRecordSubject(fullName: "", dateOfBirthComponents: nil),
          issuedDate: testStart, relevantDate: testStart, expirationDate: nil, itemNames: [],
          sourceType: nil, dataRepresentation: Data()),
      ]
    }
  }

  static var documents: [HKCDADocumentSample] {
    get throws {
      [
        try HKCDADocumentSample.validated(
          data: Data("<ClinicalDocument><title>Visit</title></ClinicalDocument>".utf8),
          start: testStart, end: testStart + 3600, metadata: ["note": "x"],
          sourceRevision: revision("org.example.clinic")),
        try HKCDADocumentSample(
          data: Data("<ClinicalDocument/>".utf8), start: testStart, end: testStart, metadata: nil),
      ]
    }
  }

  static func document() throws -> HKCDADocumentSample {
    try HKCDADocumentSample(
      data: Data("<ClinicalDocument/>".utf8), start: testStart, end: testStart, metadata: nil)
  }

  static func card() throws -> HKVerifiableClinicalRecord {
    try HKVerifiableClinicalRecord.validated(
      recordTypes: [], issuerIdentifier: "",
      subject: HKVerifiableClinicalRecordSubject(fullName: "", dateOfBirthComponents: nil),
      issuedDate: testStart, relevantDate: testStart, expirationDate: nil, itemNames: [],
      sourceType: .smartHealthCard, dataRepresentation: Data())
  }

  static let aspirin = HKHealthConceptIdentifier(domain: .medication, name: "rxnorm/1191")

  static var doses: [HKMedicationDoseEvent] {
    get throws {
      [
        try HKMedicationDoseEvent.validated(
          medicationConceptIdentifier: aspirin, logStatus: .taken, scheduledDate: testStart - 60,
          scheduledDoseQuantity: 2, doseQuantity: 1.5, unit: HKUnit(from: "mg"), start: testStart,
          end: testStart, metadata: ["note": "d"]),
        try HKMedicationDoseEvent.validated(
          medicationConceptIdentifier: aspirin, logStatus: .skipped, start: testStart,
          end: testStart),
      ]
    }
  }

  static var medications: [HKSample] {
    get throws {
      let full = HKUserAnnotatedMedication(
        medication: HKMedicationConcept(
          identifier: aspirin, displayText: "Aspirin", generalForm: .tablet,
          relatedCodings: [
            HKClinicalCoding(system: "rxnorm", version: "1", code: "1191"),
            HKClinicalCoding(system: "atc", version: nil, code: "B01AC06"),
          ]), nickname: "white one", isArchived: true, hasSchedule: true)
      let plain = HKUserAnnotatedMedication(
        medication: HKMedicationConcept(identifier: aspirin, displayText: ""))
      return try [full, plain].map {
        UserAnnotatedMedicationSample(
          built: try BuiltSample(
            validating: .userAnnotatedMedicationType(), start: testStart, end: testStart,
            payload: UserAnnotatedMedicationPayload($0), device: nil, metadata: nil,
            sourceRevision: nil))
      }
    }
  }
}

extension HKSample {
  /// All properties of the sample, to compare two samples.
  var contents: [String] {
    let built = materialized
    return [
      "\(type(of: self))", uuid.uuidString, sampleType.identifier,
      "\(startDate.timeIntervalSinceReferenceDate.bitPattern)",
      "\(endDate.timeIntervalSinceReferenceDate.bitPattern)", "\(sourceRevision)",
      "\(String(describing: device))",
      "\((metadata ?? [:]).map { "\($0)=\($1)" }.sorted())",
      "\(built.payload?.encoded ?? [])",
    ]
  }
}
