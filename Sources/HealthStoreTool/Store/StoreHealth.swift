import Foundation
import HealthStore
import SampleLog

/// The state of a store, as `healthstore doctor` reports it.
struct StoreHealth {
  /// A durable subscription or a background delivery.
  struct Delivery {
    /// The subject and the type of a background delivery, or the name of a subscription.
    var name: [String]
    /// The number of sequence numbers not yet acknowledged.
    var behind: UInt64
    /// The number of consecutive deliveries that were not acknowledged.
    var failureCount = 0
    /// Whether delivery has stopped until the application resets it.
    var isStopped = false

    var isStalled: Bool { isStopped || failureCount > 0 }
  }

  let database: Database
  let statistics: StoreStatistics
  let verification: Verification
  /// The publication state; nil if the store was never published.
  let publication: PublicationState?
  var subscriptions: [Delivery] = []
  var deliveries: [Delivery] = []
  /// The free space of the file system in bytes, or nil if it is not reported.
  let freeByteCount: Int?

  /// Opens a store for reading, even if it is damaged, and collects its state.
  init(path: String, verification: Verification) throws {
    var options = Database.Options()
    options.toleratesDamage = true
    database = try StoreOpening.reading(path, options)
    self.verification = verification
    statistics = try database.statistics()
    publication = try? database.publicationState()
    let system = try FileManager.default.attributesOfFileSystem(forPath: path)
    freeByteCount = (system[.systemFreeSize] as? NSNumber)?.intValue
    let snapshot = database.snapshot()
    subscriptions = database.acknowledgements.sorted { $0.key < $1.key }.map { name, sequence in
      Delivery(name: [name], behind: snapshot.end - min(sequence, snapshot.end))
    }
    let symbols = database.symbols
    let subjects = Set(snapshot.series.map(\.subject)).union([0])
    for subject in subjects.sorted(by: { symbols.text($0) < symbols.text($1) }) {
      for (key, registration) in try database.registrations(of: subject) {
        let isBehind = snapshot.isBehind(registration, key)
        deliveries.append(
          Delivery(
            name: [symbols.text(key.subject), symbols.text(key.type)],
            behind: isBehind ? snapshot.end - min(registration.sequence, snapshot.end) : 0,
            failureCount: registration.failureCount, isStopped: registration.isStopped))
      }
    }
    deliveries.sort { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Returns the recommended actions, one sentence each; empty if the store is healthy.
  func advice(_ path: String) -> [String] {
    var sentences: [String] = []
    if let first = verification.damages.first {
      sentences.append(
        "Repair it: \(first.file) is damaged at byte \(first.offset); run `healthstore repair`.")
    }
    if let gap = publication?.gapEnd, let confirmed = publication?.confirmed {
      sentences.append(
        "Publish it with `healthstore primary`, and make a backup and replicas of it if that says "
          + "so: the stream has confirmed \(Figures.count(confirmed)), the logs go on from "
          + "\(Figures.count(gap)), and what lies between is only in segments."
      )
    } else if let publication, publication.unpublishedRecordCount > 0 {
      sentences.append(
        "Publish it with `healthstore primary`: up to "
          + "\(Figures.count(publication.unpublishedRecordCount, "record")) may be on this "
          + "disk only, and \(Figures.count(publication.keptLogCount, "sealed log")) of "
          + "\(Figures.bytes(publication.keptLogByteCount)) are kept for them.")
    }
    if let failure = statistics.backgroundFailure {
      sentences.append("Sealing or merging in the background failed: \(failure)")
    }
    // Sealing and compaction write new files before they remove old ones. Writers report a nearly
    // full disk at the same limit.
    let neededByteCount = max(
      Database.Options().lowSpaceByteCount, statistics.byteCount / 4 + (64 << 20))
    if let freeByteCount, freeByteCount < neededByteCount {
      sentences.append(
        "Make room on the disk: only \(Figures.bytes(freeByteCount)) are free, and compaction "
          + "writes a file before it removes one.")
    }
    if statistics.reclaimableByteCount > max(1 << 20, statistics.byteCount / 10) {
      sentences.append(
        "Compact it: about \(Figures.bytes(statistics.reclaimableByteCount)) would be returned.")
    }
    for delivery in deliveries where delivery.isStalled {
      let state =
        delivery.isStopped
        ? "has stopped" : "failed \(Figures.count(delivery.failureCount, "time")) in a row"
      sentences.append(
        "Look after the background delivery of "
          + HKSampleType.shortName(ofIdentifier: delivery.name[1]) + ": it \(state). See that its "
          + "observer calls the completion handler, then call resetBackgroundDelivery(for:).")
    }
    for subscription in subscriptions where subscription.behind > 0 && statistics.deletionCount > 0
    {
      sentences.append(
        "Read on with the subscription \(subscription.name[0]), or remove it: deletions are kept "
          + "for it.")
    }
    return sentences
  }
}
