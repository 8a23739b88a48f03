import CoreLocation
import Foundation
import HealthStore

/// A phone's store with an example of everything that HealthKit keeps.
enum Phone {
  static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
  static let perMinute = HKUnit.count().unitDivided(by: .minute())

  static let types: [HKSampleType] = [
    HKQuantityType(.heartRate), HKQuantityType(.stepCount), HKQuantityType(.bodyMass),
    HKQuantityType(.oxygenSaturation), HKQuantityType(.bloodPressureSystolic),
    HKQuantityType(.bloodPressureDiastolic), HKQuantityType(.activeEnergyBurned),
    HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    HKCategoryType(.sleepAnalysis), HKCategoryType(.fatigue), HKCorrelationType(.bloodPressure),
    HKObjectType.workoutType(), HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
    HKObjectType.electrocardiogramType(), HKObjectType.audiogramSampleType(),
    HKObjectType.visionPrescriptionType(), HKObjectType.stateOfMindType(),
    HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
    HKClinicalType(.labResultRecord), HKObjectType.medicationDoseEventType(),
    HKDocumentType(.CDA),
  ]

  static let revision = HKSourceRevision(
    source: HKSource(name: "Ada’s Watch", bundleIdentifier: "com.apple.health.1"), version: "11.2",
    productType: "Watch7,5",
    operatingSystemVersion: OperatingSystemVersion(
      majorVersion: 11, minorVersion: 2, patchVersion: 1))

  static let device = HKDevice(
    name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch7,5",
    firmwareVersion: nil, softwareVersion: "11.2", localIdentifier: "local",
    udiDeviceIdentifier: nil)

  static var metadata: [String: Any] {
    [
      "text": "é", "flag": true, "number": 3, "fraction": 0.25, "when": start,
      "big": NSNumber(value: UInt64.max),
      HKMetadataKeyWeatherTemperature: HKQuantity(unit: .degreeCelsius(), doubleValue: 21.5),
      HKMetadataKeySyncIdentifier: "one", HKMetadataKeySyncVersion: 3,
    ]
  }

  static func quantity(
    _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, _ offset: Double = 0,
    for seconds: Double = 0, metadata: [String: Any]? = nil
  ) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start + offset, end: start + offset + seconds, device: device, metadata: metadata,
      sourceRevision: revision)
  }

  static func beat(_ value: Double, _ offset: Double = 0) throws -> HKQuantitySample {
    try quantity(.heartRate, perMinute, value, offset)
  }

  static func pressure(_ offset: Double = 0) throws -> HKCorrelation {
    let unit = HKUnit.millimeterOfMercury()
    return try HKCorrelation.validated(
      type: HKCorrelationType(.bloodPressure), start: start + offset, end: start + offset,
      objects: [
        quantity(.bloodPressureSystolic, unit, 120, offset),
        quantity(.bloodPressureDiastolic, unit, 80, offset),
      ], device: device, metadata: ["arm": "left"])
  }

  static func route(_ offset: Double = 0, count: Int = 1500) throws -> HKWorkoutRoute {
    try HKWorkoutRoute.validated(
      locations: (0..<count).map { index in
        CLLocation(
          coordinate: CLLocationCoordinate2D(latitude: 48 + Double(index) / 3e4, longitude: 6.1),
          altitude: 30.1, horizontalAccuracy: 3, verticalAccuracy: -1, course: 7.77,
          courseAccuracy: 2, speed: 3, speedAccuracy: 0.5,
          timestamp: start + offset + Double(index) * 1.001,
          sourceInfo: CLLocationSourceInformation(
            softwareSimulationState: false, andExternalAccessoryState: true))
      }, device: device, metadata: nil, sourceRevision: revision)
  }

  /// Fills a store with one object of each family and its related data.
  static func fill(_ store: HKHealthStore) async throws {
    try await store.save(try plain() + records())
    try await store.save([try pressure(), try pressure(60)])
    try await addSeries(to: store)
    try await addWorkout(to: store)
  }

  private static func plain() throws -> [HKSample] {
    [
      try beat(62), try beat(64.5, 5),
      try quantity(.stepCount, .count(), 120, for: 60, metadata: metadata),
      try quantity(.bodyMass, .gramUnit(with: .kilo), 70.1),
      try quantity(.oxygenSaturation, .percent(), 0.97),
      try HKCategorySample.validated(
        type: HKCategoryType(.sleepAnalysis), value: 5, start: start, end: start + 3600,
        device: device, metadata: nil, sourceRevision: revision),
    ]
  }

  private static func records() throws -> [HKSample] {
    let level = HKQuantity(unit: .decibelHearingLevel(), doubleValue: 20)
    let (sphere, length) = (
      HKQuantity(unit: .diopter(), doubleValue: -1.25),
      HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 12)
    )
    let prism = HKVisionPrism(
      verticalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 1), verticalBase: .up,
      horizontalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 2), horizontalBase: .in,
      eye: .right)
    return [
      try HKAudiogramSample.validated(
        sensitivityPoints: [
          HKAudiogramSensitivityPoint(
            frequency: HKQuantity(unit: .hertz(), doubleValue: 500),
            tests: [
              HKAudiogramSensitivityTest(
                sensitivity: level, type: .air, masked: true, side: .left,
                clampingRange: HKAudiogramSensitivityPointClampingRange(
                  lowerBound: -10, upperBound: nil))
            ])
        ], start: start, end: start + 1, device: device, metadata: nil, sourceRevision: revision),
      try HKContactsPrescription.validated(
        rightEyeSpecification: nil,
        leftEyeSpecification: HKContactsLensSpecification(
          sphere: sphere, cylinder: nil, axis: nil, addPower: sphere, baseCurve: length,
          diameter: length), brand: "B", dateIssued: start, expirationDate: nil, device: device,
        metadata: nil, sourceRevision: revision),
      try HKGlassesPrescription.validated(
        rightEyeSpecification: HKGlassesLensSpecification(
          sphere: sphere, cylinder: sphere, axis: HKQuantity(unit: .degreeAngle(), doubleValue: 9),
          addPower: nil, vertexDistance: length, prism: prism, farPupillaryDistance: length,
          nearPupillaryDistance: nil), leftEyeSpecification: nil, dateIssued: start,
        expirationDate: start + 1e7, device: device, metadata: nil, sourceRevision: revision),
      try HKStateOfMind.validated(
        date: start, kind: .dailyMood, valence: 0.3, labels: [.amazed, .calm],
        associations: [.work], device: device, metadata: nil, sourceRevision: revision),
      try HKGAD7Assessment.validated(
        date: start, answers: Array(repeating: .severalDays, count: 7), metadata: nil,
        sourceRevision: revision),
      try HKPHQ9Assessment.validated(
        date: start, answers: Array(repeating: .notAtAll, count: 8) + [.preferNotToAnswer],
        metadata: nil, sourceRevision: revision),
      try HKClinicalRecord.validated(
        type: HKClinicalType(.labResultRecord), displayName: "Iron",
        fhirResource: HKFHIRResource(
          resourceType: .observation, identifier: "7", fhirVersion: .primaryR4(),
          data: Data("{}".utf8), sourceURL: URL(string: "https://example.org/7")), start: start,
        end: start, metadata: nil, sourceRevision: revision),
      try HKCDADocumentSample.validated(
        data: Data("<ClinicalDocument><title>T</title></ClinicalDocument>".utf8), start: start,
        end: start, metadata: nil, sourceRevision: revision),
      try HKMedicationDoseEvent.validated(
        medicationConceptIdentifier: HKHealthConceptIdentifier(domain: .medication, name: "iron"),
        logStatus: .taken, scheduledDate: start, scheduledDoseQuantity: 1, doseQuantity: 1.5,
        start: start, end: start, metadata: nil, sourceRevision: revision),
    ]
  }

  private static func addSeries(to store: HKHealthStore) async throws {
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: HKQuantityType(.activeEnergyBurned),
      startDate: start, device: device)
    for second in 0..<1300 {
      try builder.insert(
        HKQuantity(unit: .kilocalorie(), doubleValue: Double(second % 7) / 4),
        for: DateInterval(start: start + Double(second), duration: 0.5))
    }
    _ = try await builder.finishSeries(metadata: nil)
    let symptom = try HKCategorySample.validated(
      type: HKCategoryType(.fatigue), value: 1, start: start, end: start + 1)
    try await store.save([
      symptom,
      try HKElectrocardiogram.validated(
        start: start, voltages: (0..<1100).map { Double($0) / 7e6 },
        samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
        classification: .sinusRhythm, symptomsStatus: .present, symptoms: [symptom],
        device: device, metadata: nil, sourceRevision: revision),
      try HKHeartbeatSeriesSample.validated(
        start: start,
        heartbeats: [0, 0.75, 1.5].map {
          HKHeartbeatSeriesQueryDescriptor.Heartbeat(
            timeIntervalSinceStart: $0, precededByGap: $0 == 0)
        }, device: device, metadata: nil, sourceRevision: revision),
    ])
  }

  private static func addWorkout(to store: HKHealthStore) async throws {
    let workout = HKWorkout(
      activityType: .running, start: start, end: start + 3600,
      workoutEvents: [
        HKWorkoutEvent(
          type: .lap, dateInterval: DateInterval(start: start + 0.5, duration: 60),
          metadata: ["lap": "1"])
      ], totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 300.25),
      totalDistance: HKQuantity(unit: .meter(), doubleValue: 5000), device: device,
      metadata: nil)
    try await store.save(workout)
    try await store.addSamples(
      [try beat(150, 10), try quantity(.stepCount, .count(), 9, 20, for: 5), try route()],
      to: workout)
    try await store.relateWorkoutEffortSample(
      try quantity(.workoutEffortScore, .appleEffortScore(), 7, for: 3600), with: workout,
      activity: nil)
  }
}
