import Foundation
import HealthStore
import SampleLog
import SampleLogNATS
import SampleLogReplication
import Testing

@testable import HealthCluster

/// The listings of Docs/shards.md.
@Suite struct ShardListingTests {
  func serve(map file: URL, data: URL) throws -> ShardRouter {
    let map = try ShardMap(json: try Data(contentsOf: file))
    let router = ShardRouter(map, acknowledgement: .replicated) { status in
      print(status.shard, status.role, status.end, status.failure as Any)
    }
    for (name, role) in [("north", ShardStatus.Role.primary), ("south", .replica)] {
      guard let id = map.shard(named: name)?.storeID else { continue }
      var options = NATSOptions()
      options.servers = ["nats://one:4222", "nats://two:4222", "nats://three:4222"]
      try router.open(
        name, as: role, in: data.appending(path: name),
        transport: try NATSStream.connect(to: id, options: options))
    }
    return router
  }

  /// Saves locally, or returns the address of the machine to which the samples must be sent.
  func save(
    _ samples: [HKSample], of subject: String, in router: ShardRouter
  ) async throws -> String? {
    do {
      try await router.store(subject: subject).save(samples)
      return nil
    } catch ShardError.elsewhere(_, let primary) {
      return primary
    } catch let error as HKError {
      let cause = error.errorUserInfo[NSUnderlyingErrorKey] as? StoreError
      guard case .replica(_, let primary)? = cause else { throw error }
      return primary
    }
  }

  /// Returns the first listing of the page in the given language.
  private func page(_ language: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Docs/shards.md"), encoding: .utf8)
    let rest = try #require(text.components(separatedBy: "```\(language)\n").dropFirst().first)
    return try #require(rest.components(separatedBy: "```").first)
  }

  @Test func `The map on the page is valid and encodes to the same text`() throws {
    let map = try ShardMap(json: Data(try page("json").utf8))
    #expect(map.slots(of: "south") == [512...1023])
    #expect(try ShardMap(version: 1, shards: map.shards) == map)
  }

  @Test func `Two shards on two machines`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "map.json")
    try Data(try page("json").utf8).write(to: file)
    #expect(throws: NATSError.self) { try serve(map: file, data: folder) }
  }

  @Test func `A request is served here or sent to the primary`() async throws {
    let machines = Machines("north", "south")
    let map = try ShardMap(shards: [
      Shard(name: "north", primary: "https://one.example"),
      Shard(name: "south", primary: "https://two.example"),
    ])
    let (one, two) = (ShardRouter(map), ShardRouter(map))
    try machines.openPrimary("north", in: one)
    try machines.openPrimary("south", in: two)
    try machines.openReplica("south", of: two, in: one)
    let names = ["north", "south"].map { name in
      (0..<50).map { "p\($0)" }.first { map.shard(of: $0).name == name } ?? ""
    }
    #expect(try await save([beat(60)], of: names[0], in: one) == nil)
    #expect(try await save([beat(60)], of: names[1], in: one) == "https://two.example")
    #expect(try await save([beat(60)], of: names[0], in: two) == "https://one.example")
    #expect(try await save([beat(60)], of: names[1], in: two) == nil)
    try await read(two.anchor("ada"), in: one)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try await move(try await Promotable(of: "north", machines, one), file)
  }

  private func read(_ anchor: HKQueryAnchor, in router: ShardRouter) async throws {
    // The timeout is long enough for the slowest machine.
    try await router.wait(for: anchor, of: "ada", atMost: 3600)

    try await router.wait(for: anchor, of: "ada")
  }

  /// A replica of a shard in a separate router.
  private struct Promotable {
    let router: ShardRouter
    let anchor: HKQueryAnchor

    init(of shard: String, _ machines: Machines, _ primary: ShardRouter) async throws {
      router = ShardRouter(primary.map)
      try machines.openReplica(shard, of: primary, in: router)
      anchor = try await primary.anchor("")
      try primary.close()
      machines.stream(shard).holder = nil
    }
  }

  private func move(_ pair: Promotable, _ file: URL) async throws {
    let (router, anchor) = (pair.router, pair.anchor)
    try await router.wait(for: anchor, of: "", atMost: 3600)
    try await router.promote("north")
    let next = try router.map.naming(primary: "https://two.example", of: "north")
    try router.use(next)
    try next.json.write(to: file, options: .atomic)
    #expect(try ShardMap(json: try Data(contentsOf: file)) == router.map)
  }
}
