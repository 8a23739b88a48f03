import HealthKit

/// A tailing reader: prints what another program saves and deletes, for as long as it runs.
///
///     Follower STORE ANCHOR
///
/// The file ANCHOR keeps the reader's anchor. It is written after the lines are printed, so a crash
/// can repeat a line but never loses one.
@main struct Follower {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { fatalError("usage: Follower STORE ANCHOR") }
    let store = try HKHealthStore(
      directory: URL(fileURLWithPath: arguments[1]), mode: .readOnly)
    let file = URL(fileURLWithPath: arguments[2])

    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
      anchor: try kept(in: file))
    for try await changes in feed.results(for: store) {
      let added = changes.addedSamples.map { "added \($0.uuid) \($0.quantity)\n" }
      let deleted = changes.deletedObjects.map { "deleted \($0.uuid)\n" }
      FileHandle.standardOutput.write(Data((added + deleted).joined().utf8))
      try NSKeyedArchiver.archivedData(
        withRootObject: changes.newAnchor, requiringSecureCoding: true
      ).write(to: file, options: .atomic)
    }
  }

  /// The anchor of the last run, or nil on the first run.
  private static func kept(in file: URL) throws -> HKQueryAnchor? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKQueryAnchor.self, from: Data(contentsOf: file))
  }
}
