import Foundation
import HealthStore
import SampleLog

// Steps of the demonstration: reopening and compaction.
extension Demo {
  /// Reads the changes since an anchor that was created before the store was reopened.
  mutating func showReopening() async throws {
    try heading("An anchor, the store closed and opened again, and only what changed since")
    let anchor = try await currentAnchor()
    let archived = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    let old = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .forward)], limit: 1
    ).result(for: store)
    try say("  anchor before: \(anchor) (archived in \(archived.count) bytes)")
    try await store.close()
    let clock = ContinuousClock.now
    store = try HKHealthStore(directory: directory)
    try say("  closed, opened again in \(Figures.time(ProgressLine.seconds(.now - clock)))")
    try await store.save([measurement(66), measurement(67)])
    try await store.delete(old)
    try say("  saved 2 samples, deleted \(old.count)")
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: archived)
    let result = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: read
    ).result(for: store)
    let values = result.addedSamples.map {
      Figures.number($0.quantity.doubleValue(for: beatsPerMinute))
    }
    try say(
      "  since the anchor: \(result.addedSamples.count) added (\(values.joined(separator: ", "))), "
        + "\(result.deletedObjects.count) deleted")
    try say("  anchor after:  \(result.newAnchor)")
  }

  /// Shows the size of the files before and after a compaction.
  mutating func showCompaction() async throws {
    try heading("Compaction")
    let before = try await store.storeStatistics()
    let clock = ContinuousClock.now
    try await store.compact()
    let seconds = ProgressLine.seconds(.now - clock)
    let after = try await store.storeStatistics()
    var table = TextTable([("", .left), ("BEFORE", .right), ("AFTER", .right)])
    table.add(["samples", Figures.count(before.sampleCount), Figures.count(after.sampleCount)])
    table.add(["bytes", Figures.count(before.byteCount), Figures.count(after.byteCount)])
    table.add([
      "bytes per sample", Figures.decimal(before.bytesPerSample ?? 0, 2),
      Figures.decimal(after.bytesPerSample ?? 0, 2),
    ])
    try say(table)
    try say("  \(Self.rate(after.sampleCount, seconds)); the files now:")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    for name in names where FileNames.isData(name) {
      let facts = try FileManager.default.attributesOfItem(
        atPath: directory.appendingPathComponent(name).path)
      let size = facts[.size] as? Int ?? 0
      try say("  \(Figures.bytes(size).paddedLeft(to: 9))  \(name)")
    }
  }
}
