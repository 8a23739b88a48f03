import HealthKit

/// Prints what is saved and deleted in a store that another program writes, for as long as it runs.
///
///     Follower STORE ANCHOR
///
/// The file ANCHOR says where it was. It is written after the lines, so that a line may come twice
/// after a crash, and none is missing.
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

  /// The anchor of the last run; nil when there was none.
  private static func kept(in file: URL) throws -> HKQueryAnchor? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKQueryAnchor.self, from: Data(contentsOf: file))
  }
}
