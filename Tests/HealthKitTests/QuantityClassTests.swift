import HealthKit
import Testing

/// Quantity samples made with the class that does not fit their type.
@Suite struct QuantityClassTests {
  @Test func `a sample made with the class of the other style is read back with its type's class`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let beats = HKCumulativeQuantitySample(
      type: heartRate, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 64),
      start: start, end: start)
    let walk = HKDiscreteQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 9), start: start, end: start,
      device: .local(), metadata: nil)
    #expect(type(of: beats) == HKCumulativeQuantitySample.self)
    #expect(beats.sumQuantity == beats.quantity)
    #expect(type(of: walk) == HKDiscreteQuantitySample.self)
    #expect(walk.averageQuantity == walk.quantity)
    let archived = try NSKeyedArchiver.archivedData(
      withRootObject: beats, requiringSecureCoding: true)
    let unarchived = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKCumulativeQuantitySample.self, from: archived)
    #expect(unarchived?.quantity == beats.quantity)
    try await store.save([beats, walk])
    let read = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate), .quantitySample(type: steps)],
      sortDescriptors: []
    ).result(for: store)
    #expect(read.count == 2 && Set(read) == [beats, walk])
    for sample in read {
      #expect((sample is HKDiscreteQuantitySample) == (sample.quantityType == heartRate))
    }
  }
}
