import Foundation
import HealthCluster
import SampleLog
import Testing

@Suite struct ShardMapTests {
  private let shards = ["north", "south", "west"].map {
    Shard(name: $0, primary: "https://\($0).example")
  }

  @Test(arguments: [
    ("", 0), ("123456789", 643), ("ada", 626), ("A", 494), ("person-1", 1010), ("Zoë", 738),
    ("Zoe\u{308}", 326), ("7E1C7F3C-5E63-4D5A-9E4F-2F6C0B1D8A90", 118),
  ])
  func `A subject's slot never changes`(subject: String, slot: Int) {
    #expect(ShardMap.slot(of: subject) == slot)
  }

  @Test func `Two encodings of one character are two subjects in two slots`() {
    #expect("Zoë" == "Zoe\u{308}")
    #expect(ShardMap.slot(of: "Zoë") != ShardMap.slot(of: "Zoe\u{308}"))
  }

  /// Chi squared with 1,023 degrees of freedom exceeds 1,200 in one case in ten thousand.
  @Test(arguments: ["number", "padded", "mail", "uuid"])
  func `Names are distributed evenly`(kind: String) {
    var counts = Array(repeating: 0, count: ShardMap.slotCount)
    var random = Numbers()
    let count = 102_400
    for number in 0..<count {
      let name =
        switch kind {
        case "number": "\(number)"
        case "padded": "user-\(1_000_000 + number)"
        case "mail": "person.\(number)@example.org"
        default: UUID(random: &random).uuidString
        }
      counts[ShardMap.slot(of: name)] += 1
    }
    let expected = Double(count) / Double(ShardMap.slotCount)
    let squared = counts.reduce(0) { $0 + pow(Double($1) - expected, 2) / expected }
    #expect(squared < 1200, "\(squared)")
  }

  @Test func `Slots are distributed evenly, and each has one shard`() throws {
    let map = try ShardMap(shards: shards)
    #expect(map.slots(of: "north") == [0...341])
    #expect(map.slots(of: "south") == [342...682])
    #expect(map.slots(of: "west") == [683...1023])
    #expect(map.shard(of: "ada") == map.shard(ofSlot: ShardMap.slot(of: "ada")))
    #expect(map.shard(ofSlot: 1024) == nil)
    #expect(map.shard(ofSlot: -1) == nil)
    #expect(map.slots(of: "east").isEmpty)
    let many = try ShardMap(shards: (0..<1024).map { Shard(name: "\($0)", primary: "here") })
    #expect((0..<1024).allSatisfy { many.shard(ofSlot: $0)?.name == "\($0)" })
  }

  @Test func `Invalid shards are refused`() {
    var some = shards
    func error(_ shards: [Shard], version: Int = 1) -> ShardMapError? {
      do {
        _ = try ShardMap(version: version, shards: shards)
        return nil
      } catch {
        return error
      }
    }
    #expect(error([]) == .invalidShardCount(0))
    #expect(
      error((0..<1025).map { Shard(name: "\($0)", primary: "here") }) == .invalidShardCount(1025))
    #expect(error(shards, version: 0) == .invalidVersion(0))
    some[1].name = "north"
    #expect(error(some) == .duplicateName("north"))
    some[1].name = ""
    #expect(error(some) == .emptyName)
    some = shards
    some[2].primary = ""
    #expect(error(some) == .emptyAddress(shard: "west"))
    let id = Identifier()
    some = shards
    (some[0].storeID, some[2].storeID) = (id, id)
    #expect(error(some) == .duplicateStore(id))
  }

  @Test func `A map survives a round trip through its text`() throws {
    var shards = shards
    shards[1].storeID = Identifier()
    let map = try ShardMap(version: 7, shards: shards)
    let read = try ShardMap(json: try map.json)
    #expect(read == map)
    #expect(try read.json == map.json)
  }

  private static let whole = """
    {"format": 1, "version": 3, "shards": [
      {"name": "a", "primary": "x", "slots": [[0, 9], [512, 1023]]},
      {"name": "b", "primary": "y", "slots": [[10, 511]],
       "store": "7E1C7F3C-5E63-4D5A-9E4F-2F6C0B1D8A90"}]}
    """

  @Test func `A shard's ranges need not be adjacent`() throws {
    let map = try ShardMap(json: Data(Self.whole.utf8))
    #expect(map.version == 3)
    #expect(map.slots(of: "a") == [0...9, 512...1023])
    #expect(map.shard(ofSlot: 511)?.name == "b")
    #expect(
      map.shard(named: "b")?.storeID?.description.uppercased()
        == "7E1C7F3C-5E63-4D5A-9E4F-2F6C0B1D8A90")
  }

  @Test(arguments: [
    ("[512, 1023]", "[512, 1022]", ShardMapError.unassignedSlots(count: 1, first: 1023)),
    ("[10, 511]", "[9, 511]", .slotAssignedTwice(9, shard: "b")),
    ("[512, 1023]", "[512, 1024]", .invalidSlots(shard: "a", slots: [512, 1024])),
    ("[0, 9]", "[9, 0]", .invalidSlots(shard: "a", slots: [9, 0])),
    ("[0, 9]", "[-1, 9]", .invalidSlots(shard: "a", slots: [-1, 9])),
    ("[0, 9]", "[0]", .invalidSlots(shard: "a", slots: [0])),
    ("[0, 9]", "[0, 9, 9]", .invalidSlots(shard: "a", slots: [0, 9, 9])),
    ("[0, 9]", "[]", .invalidSlots(shard: "a", slots: [])),
    ("[[10, 511]]", "[]", .noSlots(shard: "b")),
    ("\"format\": 1", "\"format\": 2", .unsupportedFormat(2)),
    ("\"version\": 3", "\"version\": 0", .invalidVersion(0)),
    ("\"name\": \"b\"", "\"name\": \"a\"", .duplicateName("a")),
    (
      "7E1C7F3C-", "7E1C7F3C",
      .invalidStore(
        shard: "b", text: "7E1C7F3C5E63-4D5A-9E4F-2F6C0B1D8A90")
    ),
    ("\"primary\": \"x\", ", "", .malformed("the field \"primary\" is missing.")),
    (
      "\"version\": 3", "\"version\": \"3\"",
      .malformed("the field \"version\" is of another type.")
    ),
    ("\"format\": 1, ", "", .malformed("the field \"format\" is missing.")),
    ("]]}", "", .malformed("it is not JSON.")),
  ])
  func `An incomplete or invalid map is refused`(part: String, other: String, error: ShardMapError)
  {
    let text = Self.whole.replacingOccurrences(of: part, with: other)
    #expect(text != Self.whole)
    #expect(throws: error) { try ShardMap(json: Data(text.utf8)) }
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "{\"format\": 1e300}", "\u{0}",
    "{\"format\": 1, \"version\": 99999999999999999999, \"shards\": []}",
    String(repeating: "[", count: 100_000),
  ])
  func `A text that is not a map is refused`(text: String) {
    #expect(throws: ShardMapError.self) { try ShardMap(json: Data(text.utf8)) }
  }

  @Test func `A later version names a new primary without moving a subject`() throws {
    let map = try ShardMap(shards: shards)
    let next = try map.naming(primary: "https://new.example", of: "south")
    #expect(next.version == 2)
    #expect(next.shard(named: "south")?.primary == "https://new.example")
    #expect(next.isCompatible(with: map))
    let uneven = try ShardMap(json: Data(Self.whole.utf8))
    #expect(try uneven.naming(primary: "z", of: "a").slots(of: "b") == [10...511])
    #expect(throws: ShardMapError.unknownShard("east")) { try map.naming(primary: "x", of: "east") }
    #expect(throws: ShardMapError.emptyAddress(shard: "west")) {
      try map.naming(primary: "", of: "west")
    }
    #expect(throws: ShardMapError.invalidVersion(.max)) {
      try ShardMap(version: .max, shards: shards).naming(primary: "x", of: "west")
    }
  }

  @Test func `A map that moves slots or changes stores is not compatible`() throws {
    let map = try ShardMap(shards: shards)
    let more = try ShardMap(version: 2, shards: shards + [Shard(name: "east", primary: "x")])
    #expect(!more.isCompatible(with: map))
    #expect(throws: ShardMapError.movedSlots(count: 513, first: 256, from: "north", to: "south")) {
      try more.checkCompatible(with: map)
    }
    var one = shards
    one[0].storeID = Identifier()
    var other = shards
    other[0].storeID = Identifier()
    let (first, second) = (try ShardMap(shards: one), try ShardMap(shards: other))
    #expect(first.isCompatible(with: map))
    #expect(throws: ShardMapError.changedStore(shard: "north")) {
      try second.checkCompatible(with: first)
    }
    #expect(try ShardMap(version: 2, shards: shards.reversed()).isCompatible(with: map) == false)
  }
}

/// A deterministic generator.
private struct Numbers: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 33)) &* 0xff51_afd7_ed55_8ccd
    return mixed ^ (mixed >> 33)
  }
}

extension UUID {
  fileprivate init(random: inout Numbers) {
    self = Identifier(high: random.next(), low: random.next()).uuid
  }
}
