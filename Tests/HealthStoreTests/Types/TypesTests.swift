import Foundation
import Testing

@testable import HealthStore

@Suite struct TypesTests {
  @Test func `every class that inherits the factory finds a type by its identifier`() {
    let steps = HKObjectType.quantityType(forIdentifier: .stepCount)
    #expect(steps != nil)
    #expect(HKSampleType.quantityType(forIdentifier: .stepCount) === steps)
    #expect(HKQuantityType.quantityType(forIdentifier: .stepCount) === steps)
    #expect(steps?.identifier == "HKQuantityTypeIdentifierStepCount")
    #expect(HKObjectType.categoryType(forIdentifier: .sleepAnalysis) != nil)
    #expect(HKObjectType.correlationType(forIdentifier: .food) != nil)
    #expect(HKObjectType.characteristicType(forIdentifier: .dateOfBirth) != nil)
    #expect(HKObjectType.documentType(forIdentifier: .CDA) != nil)
    #expect(HKObjectType.clinicalType(forIdentifier: .labResultRecord) != nil)
    #expect(HKObjectType.scoredAssessmentType(forIdentifier: .PHQ9) != nil)
    #expect(
      HKObjectType.seriesType(forIdentifier: "HKWorkoutRouteTypeIdentifier")
        === HKSeriesType.workoutRoute())
  }

  @Test func `unknown identifiers have no type`() {
    #expect(
      HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: "x")) == nil)
    #expect(HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier("x")) == nil)
    #expect(HKObjectType.correlationType(forIdentifier: .init(rawValue: "")) == nil)
    #expect(HKObjectType.seriesType(forIdentifier: "HKQuantityTypeIdentifierStepCount") == nil)
    #expect(HKObjectType.make(identifier: "HKQuantityTypeIdentifierSteps") == nil)
  }

  @Test func `the initialiser traps on an unknown identifier and names it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuantityType(HKQuantityTypeIdentifier(rawValue: "nonsense"))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      !TrapMessages.arePrinted || text.contains("nonsense is the identifier of no quantity type"))
  }

  @Test func `separately made types are equal, hash alike and mix in sets`() {
    let made = HKQuantityType(.heartRate)
    let found = HKObjectType.quantityType(forIdentifier: .heartRate)
    #expect(made == found)
    #expect(made.hash == found?.hash)
    #expect(made != HKQuantityType(.stepCount))
    let set: Set<HKObjectType> = [
      made, HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis), .workoutType(),
      HKCharacteristicType(.dateOfBirth), .activitySummaryType(), HKCorrelationType(.bloodPressure),
      HKObjectType.workoutType(), HKDocumentType(.CDA), HKScoredAssessmentType(.GAD7),
    ]
    #expect(set.count == 8)
    #expect(set.contains(HKCorrelationType(.bloodPressure)))
  }

  @Test func `an audio event is the same type under its old name`() {
    #expect(
      HKCategoryType(.environmentalAudioExposureEvent) == HKCategoryType(.audioExposureEvent))
  }

  @Test func `every known type is made by its identifier, once`() throws {
    for (identifier, type) in TypeCatalogue.shared.types {
      #expect(type.identifier == identifier)
      #expect(HKObjectType.make(identifier: identifier) === type)
    }
  }

  @Test func `every type survives an archive`() throws {
    for type in TypeCatalogue.shared.types.values {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: type, requiringSecureCoding: true)
      let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKObjectType.self, from: data)
      #expect(back == type)
      #expect(back.map { Swift.type(of: $0) == Swift.type(of: type) } == true)
    }
  }

  @Test func `an archive that names another class of type decodes to nil`() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode("HKQuantityTypeIdentifierStepCount" as NSString, forKey: "identifier")
    archiver.finishEncoding()
    let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    coder.decodingFailurePolicy = .setErrorAndReturn
    #expect(HKCategoryType(coder: coder) == nil)
    #expect(HKQuantityType(coder: coder) == HKQuantityType(.stepCount))
    let empty = NSKeyedArchiver(requiringSecureCoding: true)
    empty.finishEncoding()
    #expect(HKObjectType(coder: try NSKeyedUnarchiver(forReadingFrom: empty.encodedData)) == nil)
  }

  @Test func `a copy is the type itself`() {
    let type = HKQuantityType(.bodyMass)
    #expect(type.copy() as? HKQuantityType === type)
  }

  @Test func `styles follow the kind of quantity`() {
    #expect(HKQuantityType(.stepCount).aggregationStyle == .cumulative)
    #expect(HKQuantityType(.bodyMass).aggregationStyle == .discreteArithmetic)
    #expect(HKQuantityType(.heartRate).aggregationStyle == .discreteTemporallyWeighted)
    #expect(
      HKQuantityType(.headphoneAudioExposure).aggregationStyle
        == .discreteEquivalentContinuousLevel)
    #expect(HKQuantityAggregationStyle.discrete == .discreteArithmetic)
  }

  @Test func `a quantity type accepts exactly the units of its dimension`() {
    #expect(HKQuantityType(.heartRate).is(compatibleWith: HKUnit(from: "count/min")))
    #expect(!HKQuantityType(.heartRate).is(compatibleWith: .count()))
    #expect(HKQuantityType(.bloodGlucose).is(compatibleWith: HKUnit(from: "mmol<180.1558>/L")))
    #expect(HKQuantityType(.oxygenSaturation).is(compatibleWith: .percent()))
    #expect(!HKQuantityType(.bodyMass).is(compatibleWith: .meter()))
  }

  @Test func `durations are limited to four days for quantities and sleep`() {
    #expect(HKQuantityType(.stepCount).isMaximumDurationRestricted)
    #expect(HKQuantityType(.stepCount).maximumAllowedDuration == 345_600)
    #expect(HKCategoryType(.sleepAnalysis).isMaximumDurationRestricted)
    #expect(!HKCategoryType(.pregnancy).isMaximumDurationRestricted)
    #expect(!HKObjectType.workoutType().isMaximumDurationRestricted)
    #expect(!HKQuantityType(.stepCount).isMinimumDurationRestricted)
  }

  @Test func `asking an unrestricted type for its longest duration traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKCategoryType(.pregnancy).maximumAllowedDuration
    }
  }

  @Test func `only prescriptions are authorised one by one`() {
    for type in TypeCatalogue.shared.types.values {
      #expect(type.requiresPerObjectAuthorization() == (type is HKPrescriptionType))
    }
  }

  @Test func `only the six-minute walk can be recalibrated`() {
    let recalibrated = TypeCatalogue.shared.quantityTypes.values
      .filter(\.allowsRecalibrationForEstimates)
    #expect(recalibrated == [HKQuantityType(.sixMinuteWalkTestDistance)])
  }
}
