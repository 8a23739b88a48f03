import HealthKit

let store = HKHealthStore()
let type = HKQuantityType(.heartRate)
let unit = HKUnit(from: "count/min")
let rate = HKQuantity(unit: unit, doubleValue: 62)
let beat = HKQuantitySample(
  type: type, quantity: rate, start: .now, end: .now)
try await store.requestAuthorization(toShare: [type], read: [type])
try await store.save(beat)
let query = HKSampleQueryDescriptor(
  predicates: [.quantitySample(type: type)], sortDescriptors: [])
for sample in try await query.result(for: store) { print(sample.quantity) }
