import Foundation
import SampleLog
import SampleLogReplication
import Testing

@testable import HealthCluster
@testable import HealthStore

/// The disks and streams of a simulated cluster, shared by routers in one process.
final class Machines: Sendable {
  let files = MemoryFileSystem()
  let streams: [String: MemoryStream]

  init(_ shards: String...) {
    streams = Dictionary(uniqueKeysWithValues: shards.map { ($0, MemoryStream()) })
  }

  static func map(_ names: String..., version: Int = 1) throws -> ShardMap {
    try ShardMap(
      version: version, shards: names.map { Shard(name: $0, primary: "https://\($0).example") })
  }

  static var options: Database.Options {
    var options = Database.Options()
    options.sealsInBackground = false
    return options
  }

  func stream(_ shard: String) -> MemoryStream { streams[shard] ?? MemoryStream() }

  func place(_ shard: String, at path: String) -> OpenShard.Place {
    OpenShard.Place(
      shard: shard, path: path, transport: stream(shard), options: Self.options, fileSystem: files)
  }

  func openPrimary(_ shard: String, in router: ShardRouter, at path: String? = nil) throws {
    try router.open(place(shard, at: path ?? "/primary-" + shard), as: .primary)
  }

  /// Creates an empty replica and opens it.
  func openReplica(
    _ shard: String, of primary: ShardRouter, in router: ShardRouter, at path: String? = nil
  ) throws {
    let path = path ?? "/replica-" + shard
    let open = try #require(primary.state.withLock { $0.shards[shard] ?? nil })
    try Database.makeReplica(
      ofStore: open.copy.database.storeID, epoch: 1, at: path, of: "the old primary",
      options: Self.options, fileSystem: files)
    try router.open(place(shard, at: path), as: .replica)
  }
}

/// The primary of a shard in one router, and its replica in another.
struct Pair {
  let machines = Machines("a")
  let primary: ShardRouter
  let replica: ShardRouter
  var stream: MemoryStream { machines.stream("a") }

  init(_ acknowledgement: Acknowledgement = .local, timeout: Double = 0) throws {
    let map = try Machines.map("a")
    primary = ShardRouter(map, acknowledgement: acknowledgement, timeout: timeout)
    replica = ShardRouter(map, acknowledgement: acknowledgement, timeout: 0)
    try machines.openPrimary("a", in: primary)
    try machines.openReplica("a", of: primary, in: replica)
  }

  /// Waits until the replica has all commits of the primary.
  func settle() async throws {
    try await replica.wait(for: try await primary.anchor("ada"), of: "ada", atMost: 3600)
  }
}

let heartRate = HKQuantityType(.heartRate)
let perMinute = HKUnit.count().unitDivided(by: .minute())
let noon = Date(timeIntervalSinceReferenceDate: 800_000_000)

func beat(_ value: Double, _ seconds: Double = 0) -> HKQuantitySample {
  let date = noon.addingTimeInterval(seconds)
  return HKQuantitySample(
    type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: value), start: date,
    end: date)
}

extension ShardRouter {
  func save(_ samples: [HKSample], _ subject: String = "ada") async throws {
    try await store(subject: subject).save(samples)
  }

  /// The values of a person's heart rates, in chronological order.
  func values(_ subject: String = "ada") async throws -> [Double] {
    let samples = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate)])
    return try await samples.result(for: store(subject: subject))
      .map { $0.quantity.doubleValue(for: perMinute) }
  }

  typealias Changes = HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result

  func changes(_ subject: String = "ada", after anchor: HKQueryAnchor? = nil) async throws
    -> Changes
  {
    try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: anchor
    ).result(for: store(subject: subject))
  }

  func anchor(_ subject: String = "ada") async throws -> HKQueryAnchor {
    try await changes(subject).newAnchor
  }
}

/// Returns the HealthKit error that the body throws, or the one that reports the engine's error
/// that it throws, or nil if it succeeds.
func healthKitError(_ body: () async throws -> Void) async -> HKError? {
  do {
    try await body()
    return nil
  } catch {
    return HKError.from(error) as? HKError
  }
}

extension HKError {
  var cause: (any Error)? { errorUserInfo[NSUnderlyingErrorKey] as? any Error }
}
