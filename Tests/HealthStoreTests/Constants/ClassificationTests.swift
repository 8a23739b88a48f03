import Testing

@testable import HealthStore

/// Classifications of quantities.
@Suite struct ClassificationTests {
  private func share(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .percent(), doubleValue: value)
  }

  @Test func `a walking steadiness has the class that contains its value`() throws {
    typealias Steadiness = HKAppleWalkingSteadinessClassification
    #expect(Steadiness.allCases.map(\.rawValue) == [1, 2, 3])
    for steadiness in Steadiness.allCases {
      #expect(try Steadiness(for: steadiness.minimum) == steadiness)
      let next = steadiness == .ok ? Steadiness.ok : steadiness == .low ? .ok : .low
      #expect(try Steadiness(for: steadiness.maximum) == next)
    }
    #expect(try Steadiness(for: share(0)) == .veryLow)
    #expect(try Steadiness(for: share(1)) == .ok)
  }

  @Test func `a walking steadiness outside 0 to 1 is an error`() {
    for quantity in [
      share(-0.1), share(1.1), share(.nan), HKQuantity(unit: .gram(), doubleValue: 1),
    ] {
      #expect(throws: (any Error).self) {
        try HKAppleWalkingSteadinessClassification(for: quantity)
      }
    }
  }

  @Test func `breathing disturbances are elevated from the minimum of that class`() {
    typealias Disturbances = HKAppleSleepingBreathingDisturbancesClassification
    #expect(Disturbances.allCases.map(\.rawValue) == [0, 1])
    let bound = Disturbances.elevated.minimum
    #expect(Disturbances(classifying: bound) == .elevated)
    let below = HKQuantity(unit: .count(), doubleValue: bound.doubleValue(for: .count()).nextDown)
    #expect(Disturbances(classifying: below) == .notElevated)
    #expect(Disturbances(classifying: Disturbances.notElevated.minimum) == .notElevated)
    #expect(Disturbances(classifying: HKQuantity(unit: .count(), doubleValue: -1)) == nil)
    #expect(Disturbances(classifying: HKQuantity(unit: .gram(), doubleValue: 1)) == nil)
  }

  @Test func `enumerations have the raw values of Apple's headers`() {
    #expect(HKCategoryValueAudioExposureEvent.loudEnvironment.rawValue == 1)
    #expect(HKVO2MaxTestType.predictionStepTest.rawValue == 4)
    #expect(metadataKind(ofKey: HKMetadataKeyAppleFitnessPlusCatalogIdentifier) == .string)
  }
}
