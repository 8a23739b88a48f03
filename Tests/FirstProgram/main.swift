import HealthKit

let store = try HKHealthStore(directory: URL(fileURLWithPath: "health"))
let heartRate = HKQuantityType(.heartRate)
let perMinute = HKUnit.count().unitDivided(by: .minute())

let beats = [62.0, 64, 61].map { value in
  HKQuantitySample(
    type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: value),
    start: Date(), end: Date())
}
try await store.save(beats)

let latest = HKSampleQueryDescriptor(
  predicates: [.quantitySample(type: heartRate)],
  sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 2)
for sample in try await latest.result(for: store) { print(sample.quantity) }

let feed = HKAnchoredObjectQueryDescriptor(
  predicates: [.quantitySample(type: heartRate)], anchor: nil)
for try await update in feed.results(for: store) {
  print("\(update.addedSamples.count) added, \(update.deletedObjects.count) deleted")
  break  // without it the loop waits for further changes
}
