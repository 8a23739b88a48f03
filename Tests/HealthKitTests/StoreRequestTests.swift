import HealthKit
import Testing

/// Requests that programs make on a phone and that a server's store grants or ignores.
@Suite struct StoreRequestTests {
  private let store = HKHealthStore.inMemory()

  @Test func `requests for objects and extensions are handled`() async throws {
    try await store.requestPerObjectReadAuthorization(
      for: HKObjectType.visionPrescriptionType(), predicate: nil)
    try await store.handleAuthorizationForExtension()
  }

  @Test func `recalibration is refused for a type without estimates`() async throws {
    try await store.recalibrateEstimates(
      sampleType: HKQuantityType(.sixMinuteWalkTestDistance), date: start)
    do {
      try await store.recalibrateEstimates(sampleType: heartRate, date: start)
      Issue.record("heart rates were recalibrated")
    } catch let error as HKError {
      #expect(error.code == .errorInvalidArgument)
    }
  }

  @Test func `type identifiers match the constants`() {
    #expect(HKObjectType.workoutType().identifier == HKWorkoutTypeIdentifier)
    #expect(HKSeriesType.workoutRoute().identifier == HKWorkoutRouteTypeIdentifier)
    #expect(HKSeriesType.heartbeat().identifier == HKDataTypeIdentifierHeartbeatSeries)
    #expect(
      HKObjectType.visionPrescriptionType().identifier == HKVisionPrescriptionTypeIdentifier)
    #expect(HKObjectType.stateOfMindType().identifier == HKDataTypeIdentifierStateOfMind)
    #expect(HKVO2MaxTestType.predictionStepTest.rawValue == 4)
  }
}
