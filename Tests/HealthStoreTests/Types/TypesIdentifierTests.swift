import Testing

@testable import HealthStore

@Suite struct TypesIdentifierTests {
  @Test func `there are 121 quantity types, each with a unit and an identifier of its own`() {
    let rows = QuantityTypeRow.all
    #expect(rows.count == 121)
    #expect(Set(rows.map(\.identifier)).count == 121)
    for row in rows {
      #expect(row.identifier.rawValue.hasPrefix("HKQuantityTypeIdentifier"))
      #expect((try? HKUnit.parse(row.unit)) != nil, "\(row.unit)")
    }
  }

  @Test func `there are 71 category types, one of which has two names`() {
    let rows = CategoryTypeRow.all
    #expect(rows.count == 71)
    #expect(Set(rows.map(\.identifier)).count == 71)
    #expect(
      HKCategoryTypeIdentifier.environmentalAudioExposureEvent
        == HKCategoryTypeIdentifier.audioExposureEvent)
  }

  @Test(arguments: [
    (HKQuantityTypeIdentifier.vo2Max, "HKQuantityTypeIdentifierVO2Max"),
    (.uvExposure, "HKQuantityTypeIdentifierUVExposure"),
    (.heartRateVariabilitySDNN, "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"),
    (.heartRateVariabilityRMSSD, "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD"),
    (.forcedExpiratoryVolume1, "HKQuantityTypeIdentifierForcedExpiratoryVolume1"),
    (.dietaryVitaminB12, "HKQuantityTypeIdentifierDietaryVitaminB12"),
  ])
  func `quantity identifiers are spelt as in exports`(
    identifier: HKQuantityTypeIdentifier, rawValue: String
  ) {
    #expect(identifier.rawValue == rawValue)
  }

  @Test func `irregular identifiers are spelt as Apple spells them`() {
    #expect(
      HKCategoryTypeIdentifier.environmentalAudioExposureEvent.rawValue
        == "HKCategoryTypeIdentifierAudioExposureEvent")
    #expect(HKObjectType.workoutType().identifier == "HKWorkoutTypeIdentifier")
    #expect(HKSeriesType.workoutRoute().identifier == "HKWorkoutRouteTypeIdentifier")
    #expect(HKSeriesType.heartbeat().identifier == "HKDataTypeIdentifierHeartbeatSeries")
    #expect(HKObjectType.stateOfMindType().identifier == "HKDataTypeStateOfMind")
    #expect(HKDocumentTypeIdentifier.CDA.rawValue == "HKDocumentTypeIdentifierCDA")
  }

  @Test(arguments: [
    (HKQuantityTypeIdentifier.bloodGlucose, "mg/dL"), (.vo2Max, "mL/min·kg"),
    (.physicalEffort, "kcal/hr·kg"), (.heartRate, "count/s"), (.uvExposure, "count"),
    (.environmentalAudioExposure, "dBASPL"), (.bodyTemperature, "degC"), (.insulinDelivery, "IU"),
  ])
  func `canonical units are the header's`(identifier: HKQuantityTypeIdentifier, unit: String) {
    #expect(HKQuantityType(identifier).canonicalUnit.unitString == unit)
  }

  @Test(arguments: [
    (HKCategoryTypeIdentifier.sleepAnalysis, 0...5), (.headache, 0...4), (.menstrualFlow, 1...5),
    (.mindfulSession, 0...0), (.appleStandHour, 0...1), (.appleWalkingSteadinessEvent, 1...4),
    (.contraceptive, 1...7), (.ovulationTestResult, 1...4), (.lowCardioFitnessEvent, 1...1),
    (.moodChanges, 0...1), (.appetiteChanges, 0...3),
  ])
  func `a category type accepts only its own values`(
    identifier: HKCategoryTypeIdentifier, values: ClosedRange<Int>
  ) {
    let type = HKCategoryType(identifier)
    for value in -2...9 {
      #expect(type.isValid(categoryValue: value) == values.contains(value))
    }
  }

  @Test func `every value of every category type has a name that maps back to it`() {
    for type in TypeCatalogue.shared.categoryTypes.values {
      for value in 0...9 where type.isValid(categoryValue: value) {
        let name = CategoryValueNames.name(of: value, for: type)
        #expect(name.flatMap { CategoryValueNames.value(named: $0, for: type) } == value)
      }
      #expect(CategoryValueNames.name(of: 10, for: type) == nil)
    }
  }

  @Test(arguments: [
    (HKCategoryTypeIdentifier.sleepAnalysis, "HKCategoryValueSleepAnalysisAsleepCore", 3),
    (.sleepAnalysis, "HKCategoryValueSleepAnalysisAsleep", 1),
    (.sleepAnalysis, "HKCategoryValueSleepAnalysisAsleepUnspecified", 1),
    (.appleStandHour, "HKCategoryValueAppleStandHourStood", 0),
    (.menstrualFlow, "HKCategoryValueVaginalBleedingHeavy", 4),
    (.bleedingAfterPregnancy, "HKCategoryValueMenstrualFlowNone", 5),
    (.ovulationTestResult, "HKCategoryValueOvulationTestResultPositive", 2),
    (.mindfulSession, "HKCategoryValueNotApplicable", 0),
    (.headache, "HKCategoryValueSeverityNotPresent", 1),
  ])
  func `export names of values are recognised, old ones too`(
    identifier: HKCategoryTypeIdentifier, name: String, value: Int
  ) {
    #expect(CategoryValueNames.value(named: name, for: HKCategoryType(identifier)) == value)
  }

  @Test func `a name of another type is not recognised`() {
    let sleep = HKCategoryType(.sleepAnalysis)
    #expect(CategoryValueNames.value(named: "HKCategoryValueSeverityMild", for: sleep) == nil)
    #expect(CategoryValueNames.value(named: "HKCategoryValueSleepAnalysis", for: sleep) == nil)
    #expect(CategoryValueNames.value(named: "", for: sleep) == nil)
  }

  @Test func `the table of names agrees with the enumerations`() {
    let sleep = HKCategoryType(.sleepAnalysis)
    for value in 0...5 {
      let name = HKCategoryValueSleepAnalysis(rawValue: value).map { "\($0)" } ?? "none"
      let suffix = CategoryValueNames.name(of: value, for: sleep)?.dropFirst(28)
      #expect(suffix?.lowercased() == name.lowercased())
    }
    #expect(HKCategoryValueSleepAnalysis.asleep == .asleepUnspecified)
    #expect(HKCategoryValueSleepAnalysis.allAsleepValues.count == 4)
    #expect(!HKCategoryValueSleepAnalysis.allAsleepValues.contains(.awake))
    #expect(HKCategoryValueOvulationTestResult.positive.rawValue == 2)
  }
}
