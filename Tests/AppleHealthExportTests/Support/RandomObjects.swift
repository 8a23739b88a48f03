import CoreLocation
import Foundation
import HealthStore
import UniformTypeIdentifiers

/// Objects of every family with odd dates, values, names and metadata.
///
/// The seed determines them.
struct RandomObjects {
  private var state: UInt64
  private static let base = Date(timeIntervalSinceReferenceDate: 700_000_000)
  private static let texts = [
    "", "Ada", "Ada’s \"Watch\" & <more>", "line\nbreak\ttab\r", "nul\u{1}\u{b}\u{7f}",
    "\u{FFFE}x\u{FFFF}\u{feff}", "🏃🏽‍♀️ e\u{301}", "a, model:b > c", String(repeating: "x", count: 300),
  ]

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % bound
  }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  private mutating func text() -> String { Self.texts[below(Self.texts.count)] }
  private mutating func optionalText() -> String? { chance(50) ? text() : nil }

  private mutating func number() -> Double {
    [0, -0.0, 0.1, 72, 1e-300, 1e300, 98.6, -3.25, Double(below(1000)) / 7][below(9)]
  }

  private mutating func date() -> Date {
    switch below(4) {
    case 0: Self.base + Double(below(100_000))
    case 1: Self.base + Double(below(100_000_000)) / 1e3 / 3
    case 2: Date(timeIntervalSinceReferenceDate: -70_000_000_000 + Double(below(9)))
    default: Self.base
    }
  }

  private mutating func revision() -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: text(), bundleIdentifier: chance(50) ? "org.example" : text()),
      version: optionalText(), productType: optionalText(),
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: below(20), minorVersion: below(3), patchVersion: 0))
  }

  private mutating func device() -> HKDevice? {
    guard chance(60) else { return nil }
    return HKDevice(
      name: optionalText(), manufacturer: optionalText(), model: optionalText(),
      hardwareVersion: optionalText(), firmwareVersion: optionalText(),
      softwareVersion: optionalText(), localIdentifier: optionalText(),
      udiDeviceIdentifier: optionalText())
  }

  private mutating func metadata(isReplaceable: Bool = true) -> [String: Any]? {
    guard chance(70) else { return nil }
    var metadata: [String: Any] = [:]
    if chance(50) { metadata[text()] = text() }
    if chance(30) { metadata["number"] = number() }
    if chance(30) { metadata["flag"] = true }
    if chance(30) { metadata["when"] = date() }
    if chance(30) { metadata["big"] = NSNumber(value: UInt64.max) }
    if chance(30) {
      metadata[HKMetadataKeyWeatherTemperature] = HKQuantity(
        unit: .degreeFahrenheit(), doubleValue: 70.1)
    }
    if chance(30), isReplaceable {
      metadata[HKMetadataKeySyncIdentifier] = "sync \(below(1_000_000))"
      metadata[HKMetadataKeySyncVersion] = below(9)
    }
    return metadata
  }

  private mutating func quantity(_ type: HKQuantityTypeIdentifier, _ unit: HKUnit) throws
    -> HKQuantitySample
  {
    let (start, value) = (date(), number())
    return try HKQuantitySample.validated(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start, end: chance(50) ? start : start + 0.1, device: device(), metadata: metadata(),
      sourceRevision: revision())
  }

  private mutating func category() throws -> HKCategorySample {
    let start = date()
    return try HKCategorySample.validated(
      type: HKCategoryType(.sleepAnalysis), value: below(6), start: start, end: start + 60,
      device: device(), metadata: metadata(), sourceRevision: revision())
  }

  private mutating func route() throws -> HKWorkoutRoute {
    let start = date()
    let count = [1, 7, 1500][below(3)]
    return try HKWorkoutRoute.validated(
      locations: (0..<count).map { index in
        CLLocation(
          coordinate: CLLocationCoordinate2D(latitude: 48 + Double(index) / 3e4, longitude: 6.1),
          altitude: 30.1, horizontalAccuracy: 3, verticalAccuracy: -1, course: 7.77, speed: 3,
          timestamp: start + Double(index) * 1.001)
      }, device: device(), metadata: metadata(), sourceRevision: revision())
  }

  private mutating func workout() -> HKWorkout {
    let start = date()
    return HKWorkout(
      activityType: .running, start: start, end: start + 3600,
      workoutEvents: [
        HKWorkoutEvent(
          type: .lap, dateInterval: DateInterval(start: start + 0.5, duration: 60),
          metadata: ["lap": text()])
      ], totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 300.3),
      totalDistance: HKQuantity(unit: .mile(), doubleValue: 3.1), device: device(),
      metadata: metadata())
  }

  private mutating func prescription() throws -> HKVisionPrescription {
    let (sphere, length) = (
      HKQuantity(unit: .diopter(), doubleValue: -1.25),
      HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 12)
    )
    if chance(50) {
      return try HKContactsPrescription.validated(
        rightEyeSpecification: nil,
        leftEyeSpecification: HKContactsLensSpecification(
          sphere: sphere, cylinder: nil, axis: nil, addPower: sphere, baseCurve: length,
          diameter: length), brand: text(), dateIssued: date(), expirationDate: nil,
        device: device(), metadata: metadata(), sourceRevision: revision())
    }
    let issued = date()
    return try HKGlassesPrescription.validated(
      rightEyeSpecification: HKGlassesLensSpecification(
        sphere: sphere, cylinder: sphere, axis: HKQuantity(unit: .degreeAngle(), doubleValue: 9),
        addPower: nil, vertexDistance: length,
        prism: HKVisionPrism(
          verticalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 1), verticalBase: .up,
          horizontalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 2),
          horizontalBase: .in, eye: .right), farPupillaryDistance: length,
        nearPupillaryDistance: nil), leftEyeSpecification: nil, dateIssued: issued,
      expirationDate: issued + 1e7, device: device(), metadata: metadata(),
      sourceRevision: revision())
  }

  private mutating func records() throws -> [HKSample] {
    let start = date()
    let level = HKQuantity(unit: .decibelHearingLevel(), doubleValue: 20)
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
        ], start: start, end: start + 1, device: device(), metadata: metadata(),
        sourceRevision: revision()),
      try HKClinicalRecord.validated(
        type: HKClinicalType(.labResultRecord), displayName: text(),
        fhirResource: chance(80)
          ? HKFHIRResource(
            resourceType: chance(50) ? .observation : HKFHIRResourceType(rawValue: text()),
            identifier: text(), fhirVersion: .primaryR4(),
            data: Data(repeating: 0xC3, count: chance(20) ? 2 << 20 : 10), sourceURL: nil) : nil,
        start: start, end: start, metadata: metadata(), sourceRevision: revision()),
      try HKStateOfMind.validated(
        date: start, kind: .dailyMood, valence: 0.3, labels: [.amazed], associations: [.work],
        device: device(), metadata: metadata(), sourceRevision: revision()),
      try HKGAD7Assessment.validated(
        date: start, answers: Array(repeating: .severalDays, count: 7), metadata: metadata(),
        sourceRevision: revision()),
      try HKCDADocumentSample.validated(
        data: Data("<ClinicalDocument><title>T</title></ClinicalDocument>".utf8), start: start,
        end: start, metadata: metadata(), sourceRevision: revision()),
      try HKVerifiableClinicalRecord.validated(
        recordTypes: ["covid19"], issuerIdentifier: text(),
        subject: HKVerifiableClinicalRecordSubject(
          fullName: text(), dateOfBirthComponents: DateComponents(year: 1815, month: 12)),
        issuedDate: start, relevantDate: start, expirationDate: nil, itemNames: [text()],
        sourceType: nil, dataRepresentation: Data("eyJ.x.y".utf8), metadata: metadata(),
        sourceRevision: revision()),
      try HKMedicationDoseEvent.validated(
        medicationConceptIdentifier: HKHealthConceptIdentifier(domain: .medication, name: text()),
        logStatus: .taken, doseQuantity: 1.5, start: start, end: start, metadata: metadata(),
        sourceRevision: revision()),
    ]
  }

  /// Adds a file of up to two rows of content.
  private mutating func attach(to owner: HKSample, in store: HKHealthStore) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let content = Data((0..<[0, 9, 1_200_000][below(3)]).map { UInt8(truncatingIfNeeded: $0) })
    try content.write(to: url)
    _ = try await HKAttachmentStore(healthStore: store).addAttachment(
      to: owner, name: text(), contentType: .data, url: url, metadata: metadata() ?? [:])
  }

  /// Fills a store: objects, links between them, deletions and settings.
  mutating func fill(_ store: HKHealthStore, rounds: Int) async throws {
    for _ in 0..<rounds {
      var objects: [HKSample] = try records() + [prescription(), category(), route()]
      objects.append(try quantity(.heartRate, .count().unitDivided(by: .minute())))
      objects.append(try quantity(.stepCount, .count()))
      objects.append(try quantity(.bodyMass, .pound()))
      objects.append(try quantity(.oxygenSaturation, .percent()))
      let start = date()
      let beats = [0, 0.75, 1.5].map {
        HKHeartbeatSeriesQueryDescriptor.Heartbeat(
          timeIntervalSinceStart: $0, precededByGap: $0 == 0)
      }
      objects.append(
        try HKHeartbeatSeriesSample.validated(
          start: start, heartbeats: beats, device: device(), metadata: metadata(),
          sourceRevision: revision()))
      let symptom = try HKCategorySample.validated(
        type: HKCategoryType(.fatigue), value: 1, start: start, end: start + 1)
      objects.append(symptom)
      objects.append(
        try HKElectrocardiogram.validated(
          start: start, voltages: (0..<1100).map { Double($0) / 7 },
          samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
          classification: .sinusRhythm, symptomsStatus: .present, symptoms: [symptom],
          device: device(), metadata: metadata(), sourceRevision: revision()))
      let millimetres = HKUnit.millimeterOfMercury()
      let pressures =
        try [quantity(.bloodPressureSystolic, millimetres)] + [
          quantity(.bloodPressureDiastolic, millimetres)
        ]
      objects.append(
        try HKCorrelation.validated(
          type: HKCorrelationType(.bloodPressure), start: start, end: start + 1,
          objects: Set(pressures), device: device(), metadata: metadata()))
      try await store.save(objects)
      let workout = workout()
      try await store.save(workout)
      try await store.addSamples([try route(), try quantity(.stepCount, .count())], to: workout)
      try await series(store)
      for owner in [workout, objects[below(objects.count)]] {
        try await attach(to: owner, in: store)
      }
      if chance(50) { try await store.delete(objects[below(objects.count)]) }
    }
    try await store.save(
      HKUserAnnotatedMedication(
        medication: HKMedicationConcept(
          identifier: HKHealthConceptIdentifier(domain: .medication, name: text()),
          displayText: text(), generalForm: .tablet, relatedCodings: []),
        nickname: text(), isArchived: false, hasSchedule: true))
    try await set(store)
  }

  private mutating func series(_ store: HKHealthStore) async throws {
    let start = Self.base + Double(below(1000)) / 3
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: HKQuantityType(.heartRate), startDate: start,
      device: device())
    for second in 0..<3 {
      try builder.insert(
        HKQuantity(
          unit: .count().unitDivided(by: .minute()), doubleValue: Double(60 + below(9))),
        for: DateInterval(start: start + Double(second), duration: 0.5))
    }
    _ = try await builder.finishSeries(metadata: ["series": text()], endDate: nil)
  }

  private func set(_ store: HKHealthStore) async throws {
    try await store.setDateOfBirth(DateComponents(year: 1815, month: 12, day: 10))
    try await store.setBloodType(.oNegative)
    try await store.setWheelchairUse(.no)
    try await store.setPreferredUnit(.pound(), for: HKQuantityType(.bodyMass))
    var goals = ActivityGoals()
    goals.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 400)
    try await store.setActivityGoals(goals)
    let summary = HKActivitySummary()
    summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 31)
    try await store.setActivitySummaries([DateComponents(year: 2023, month: 3, day: 4): summary])
  }
}
