import Foundation
import HealthStore
import Testing

@Suite struct PredicatesKeyPathTests {
  /// A key path constant and a constant to compare it with.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let keyPath: String
    /// The constant to compare with, equal to the property of samples that have it.
    let constant: @Sendable () -> Any
    /// The indices in `samples` of those that have the property.
    let owners: Set<Int>

    init(
      _ name: String, _ keyPath: String, _ owners: Set<Int> = [],
      _ constant: @escaping @Sendable () -> Any
    ) {
      self.name = name
      self.keyPath = keyPath
      self.owners = owners
      self.constant = constant
    }

    var testDescription: String { name }
  }

  private static let start = Date(timeIntervalSinceReferenceDate: 10)
  private static let end = Date(timeIntervalSinceReferenceDate: 25)
  private static let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60)
  private static let device = HKDevice(
    name: "Strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
    softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  private static let id = samples[0].uuid
  private static let today = DateComponents(
    calendar: Calendar(identifier: .gregorian), year: 2026, month: 11, day: 23)

  /// A discrete and a cumulative quantity, a category and a correlation of both quantities.
  private static let samples: [HKSample] = {
    let beat = HKQuantitySample(
      type: HKQuantityType(.heartRate), quantity: beats, start: start, end: end, device: device,
      metadata: nil)
    let walk = HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 60),
      start: start, end: end)
    let sleep = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: end)
    let food = HKCorrelation(
      type: HKCorrelationType(.food), start: start, end: end,
      objects: [
        HKQuantitySample(
          type: HKQuantityType(.dietaryWater), quantity: HKQuantity(unit: .liter(), doubleValue: 1),
          start: start, end: end)
      ])
    return [beat, walk, sleep, food]
  }()

  private static let all: Set = [0, 1, 2, 3]

  private static let cases: [Case] = [
    Case("UUID", HKPredicateKeyPathUUID, [0]) { id },
    Case("Source", HKPredicateKeyPathSource, all) { HKSource.default() },
    Case("SourceRevision", HKPredicateKeyPathSourceRevision, all) { samples[0].sourceRevision },
    Case("Device", HKPredicateKeyPathDevice, [0]) { device },
    Case("Metadata", HKPredicateKeyPathMetadata) { "no key" },
    Case("Correlation", HKPredicateKeyPathCorrelation) { samples[3] },
    Case("Workout", HKPredicateKeyPathWorkout) { samples[0] },
    Case("WorkoutEffortRelationship", HKPredicateKeyPathWorkoutEffortRelationship) { samples[0] },
    Case("StartDate", HKPredicateKeyPathStartDate, all) { start },
    Case("EndDate", HKPredicateKeyPathEndDate, all) { end },
    Case("CategoryValue", HKPredicateKeyPathCategoryValue, [2]) { 3 },
    Case("Quantity", HKPredicateKeyPathQuantity, [0]) { beats },
    Case("Count", HKPredicateKeyPathCount, [0, 1]) { 1 },
    Case("Sum", HKPredicateKeyPathSum, [0]) { beats },
    Case("Average", HKPredicateKeyPathAverage, [0]) { beats },
    Case("Min", HKPredicateKeyPathMin, [0]) { beats },
    Case("Max", HKPredicateKeyPathMax, [0]) { beats },
    Case("MostRecent", HKPredicateKeyPathMostRecent, [0]) { beats },
    Case("MostRecentStartDate", HKPredicateKeyPathMostRecentStartDate, [0]) { start },
    Case("MostRecentEndDate", HKPredicateKeyPathMostRecentEndDate, [0]) { end },
    Case("MostRecentDuration", HKPredicateKeyPathMostRecentDuration, [0]) { 15 },
    Case("DateComponents", HKPredicateKeyPathDateComponents) { today },
    Case("WorkoutType", HKPredicateKeyPathWorkoutType) { HKWorkoutActivityType.running.rawValue },
    Case("WorkoutDuration", HKPredicateKeyPathWorkoutDuration) { 15 },
    Case("WorkoutTotalDistance", HKPredicateKeyPathWorkoutTotalDistance) { beats },
    Case("WorkoutTotalEnergyBurned", HKPredicateKeyPathWorkoutTotalEnergyBurned) { beats },
    Case("WorkoutTotalSwimmingStrokeCount", HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount) {
      beats
    },
    Case("WorkoutTotalFlightsClimbed", HKPredicateKeyPathWorkoutTotalFlightsClimbed) { beats },
    Case("WorkoutSumQuantity", HKPredicateKeyPathWorkoutSumQuantity) { beats },
    Case("WorkoutMinimumQuantity", HKPredicateKeyPathWorkoutMinimumQuantity) { beats },
    Case("WorkoutMaximumQuantity", HKPredicateKeyPathWorkoutMaximumQuantity) { beats },
    Case("WorkoutAverageQuantity", HKPredicateKeyPathWorkoutAverageQuantity) { beats },
    Case("WorkoutActivity", HKPredicateKeyPathWorkoutActivity) { samples[0] },
    Case("WorkoutActivityType", HKPredicateKeyPathWorkoutActivityType) { 37 },
    Case("WorkoutActivityDuration", HKPredicateKeyPathWorkoutActivityDuration) { 15 },
    Case("WorkoutActivityStartDate", HKPredicateKeyPathWorkoutActivityStartDate) { start },
    Case("WorkoutActivityEndDate", HKPredicateKeyPathWorkoutActivityEndDate) { end },
    Case("WorkoutActivitySumQuantity", HKPredicateKeyPathWorkoutActivitySumQuantity) { beats },
    Case("WorkoutActivityMinimumQuantity", HKPredicateKeyPathWorkoutActivityMinimumQuantity) {
      beats
    },
    Case("WorkoutActivityMaximumQuantity", HKPredicateKeyPathWorkoutActivityMaximumQuantity) {
      beats
    },
    Case("WorkoutActivityAverageQuantity", HKPredicateKeyPathWorkoutActivityAverageQuantity) {
      beats
    },
    Case("AverageHeartRate", HKPredicateKeyPathAverageHeartRate) { beats },
    Case("ECGClassification", HKPredicateKeyPathECGClassification) { 1 },
    Case("ECGSymptomsStatus", HKPredicateKeyPathECGSymptomsStatus) { 1 },
    Case("CDATitle", HKPredicateKeyPathCDATitle) { "text" },
    Case("CDAPatientName", HKPredicateKeyPathCDAPatientName) { "text" },
    Case("CDACustodianName", HKPredicateKeyPathCDACustodianName) { "text" },
    Case("CDAAuthorName", HKPredicateKeyPathCDAAuthorName) { "text" },
    Case(
      "ClinicalRecordFHIRResourceIdentifier", HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier
    ) { "text" },
    Case("ClinicalRecordFHIRResourceType", HKPredicateKeyPathClinicalRecordFHIRResourceType) {
      "text"
    },
    Case("Status", HKPredicateKeyPathStatus) { 1 },
    Case("ScheduledDate", HKPredicateKeyPathScheduledDate) { start },
    Case("LogOrigin", HKPredicateKeyPathLogOrigin) { 1 },
    Case("MedicationConceptIdentifier", HKPredicateKeyPathMedicationConceptIdentifier) {
      HKHealthConceptIdentifier(domain: .medication, name: "1191")
    },
    Case("HasSchedule", HKUserAnnotatedMedicationPredicateKeyPathHasSchedule) { true },
    Case("IsArchived", HKUserAnnotatedMedicationPredicateKeyPathIsArchived) { true },
  ]

  /// Key paths that require a suffix in a format, or whose constants cannot be compared.
  private static let incomparable: Set = [
    HKPredicateKeyPathMetadata, HKPredicateKeyPathCorrelation,
  ]

  @Test func `the cases include every constant that the sources declare`() throws {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.lastPathComponent != "Tests" { folder.deleteLastPathComponent() }
    folder = folder.deletingLastPathComponent()
      .appendingPathComponent("Sources/HealthStore/Constants")
    var declared: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("PredicateKeyPaths") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 2, words[0] == "public", words[1] == "let" else { continue }
        declared.insert(words[2].components(separatedBy: "KeyPath").dropFirst().joined())
      }
    }
    #expect(declared.count > 40)
    #expect(declared == Set(Self.cases.map(\.name)))
  }

  @Test(arguments: cases)
  func `an equality admits only samples that have the property`(_ path: Case) throws {
    func admitted() throws -> Set<Int> {
      let predicate = try NSPredicate.healthPredicate(
        format: "%K == %@", arguments: [path.keyPath, path.constant()])
      return Set(Self.samples.indices.filter { predicate.evaluate(with: Self.samples[$0]) })
    }
    if Self.incomparable.contains(path.keyPath) {
      #expect(throws: HKPredicateFormatError.self) { try admitted() }
    } else {
      #expect(try admitted() == path.owners)
    }
  }

  @Test(arguments: cases)
  func `a query returns the samples for which the predicate evaluates to true`(
    _ path: Case
  ) async throws {
    if Self.incomparable.contains(path.keyPath) { return }
    let store = HKHealthStore.inMemory()
    try await store.save(Self.samples)
    for sign in ["==", "!="] {
      let predicate = try NSPredicate.healthPredicate(
        format: "%K \(sign) %@", arguments: [path.keyPath, path.constant()])
      let either = NSCompoundPredicate(
        orPredicateWithSubpredicates: [predicate, NSPredicate(format: "FALSEPREDICATE")])
      for sample in Self.samples {
        let found = try await HKSampleQueryDescriptor(
          predicates: [.sample(type: sample.sampleType, predicate: either)], sortDescriptors: []
        ).result(for: store)
        #expect(found.map(\.uuid) == (predicate.evaluate(with: sample) ? [sample.uuid] : []))
      }
    }
  }

  @Test(arguments: cases)
  func `no combination of operator and constant traps`(_ path: Case) {
    let constants: [Any?] = [
      nil, 1, 1.5, true, "text", Self.start, Self.beats, Self.id, HKSource.default(),
      Self.samples[0], Self.today, Data(), [1, 2], [Self.start, Self.end], ["a", "b"], [Any](),
    ]
    let operators = [
      "==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS[cd]",
      "LIKE", "MATCHES",
    ]
    for name in operators {
      for constant in constants {
        do {
          let predicate = try NSPredicate.healthPredicate(
            format: "NOT (%K \(name) %@) OR %K == %@",
            arguments: [path.keyPath, constant, path.keyPath, constant])
          for sample in Self.samples { _ = predicate.evaluate(with: sample) }
          #expect(!predicate.description.isEmpty)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }

  @Test func `samples belong to no workout`() throws {
    let (none, some) = (
      try NSPredicate.healthPredicate(
        format: "%K == nil", arguments: [HKPredicateKeyPathWorkout]),
      try NSPredicate.healthPredicate(
        format: "%K != nil", arguments: [HKPredicateKeyPathWorkout])
    )
    #expect(Self.samples.allSatisfy { none.evaluate(with: $0) })
    #expect(!Self.samples.contains { some.evaluate(with: $0) })
  }

  @Test func `samples match no comparison of a property that only workouts have`() throws {
    for format in ["workoutType != 5", "workoutType == nil", "title != 'a'", "title == nil"] {
      let predicate = try NSPredicate.healthPredicate(format: format)
      #expect(!Self.samples.contains { predicate.evaluate(with: $0) }, "\(format)")
    }
  }

  @Test func `a workout's statistics may name their type`() throws {
    let steps = HKQuantityType(.stepCount).identifier
    _ = try NSPredicate.healthPredicate(
      format: "%K.%K > %@", arguments: [HKPredicateKeyPathWorkoutSumQuantity, steps, Self.beats])
    #expect(throws: HKPredicateFormatError.unknownKeyPath("sumQuantity.steps")) {
      try NSPredicate.healthPredicate(format: "sumQuantity.steps > %@", arguments: [Self.beats])
    }
  }

  @Test func `constants of another kind than the property are refused`() {
    let wrong: [(String, Any)] = [
      ("workoutType", "running"), ("duration", Self.beats), ("totalDistance", 5),
      ("activityStartDate", 5), ("title", 5), ("workout", 5), ("dateComponents", Self.start),
      ("dateComponents", DateComponents(year: 2026, month: 11, day: 23)), ("count", "one"),
      ("min", 5), ("most_recent_duration", Self.beats),
    ]
    for (keyPath, constant) in wrong {
      #expect(throws: HKPredicateFormatError.self, "\(keyPath)") {
        try NSPredicate.healthPredicate(format: "%K == %@", arguments: [keyPath, constant])
      }
    }
  }
}
