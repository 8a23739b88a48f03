public import Foundation
import SampleLog

extension ShardMap {
  /// The JSON representation of a map.
  private struct Form: Codable {
    struct Entry: Codable {
      var name: String
      var primary: String
      var store: String?
      var slots: [[Int]]
    }

    var format: Int
    var version: Int
    var shards: [Entry]
  }

  private struct Format: Decodable { var format: Int }

  private static let format = 1

  /// Creates a map from JSON.
  ///
  /// - Throws: ``ShardMapError`` unless each slot belongs to exactly one shard and the other
  ///   requirements of ``init(version:shards:)`` are met.
  public init(json: Data) throws(ShardMapError) {
    let form: Form
    do {
      let format = try JSONDecoder().decode(Format.self, from: json).format
      guard format == Self.format else { throw ShardMapError.unsupportedFormat(format) }
      form = try JSONDecoder().decode(Form.self, from: json)
    } catch let error as ShardMapError {
      throw error
    } catch {
      throw .malformed(Self.reason(error))
    }
    guard 1...Self.slotCount ~= form.shards.count else {
      throw .invalidShardCount(form.shards.count)
    }
    var shards: [Shard] = []
    var owners: [Int?] = Array(repeating: nil, count: Self.slotCount)
    for (index, entry) in form.shards.enumerated() {
      let id = entry.store.map { UUID(uuidString: $0) }
      if let text = entry.store, id == .some(nil) {
        throw .invalidStore(shard: entry.name, text: text)
      }
      shards.append(
        Shard(name: entry.name, primary: entry.primary, storeID: id?.map { Identifier($0) }))
      if entry.slots.isEmpty { throw .noSlots(shard: entry.name) }
      for range in entry.slots {
        guard range.count == 2, 0 <= range[0], range[0] <= range[1], range[1] < Self.slotCount
        else { throw .invalidSlots(shard: entry.name, slots: range) }
        for slot in range[0]...range[1] {
          if owners[slot] != nil { throw .slotAssignedTwice(slot, shard: entry.name) }
          owners[slot] = index
        }
      }
    }
    let assigned = owners.compactMap { $0 }
    if let first = owners.firstIndex(of: nil) {
      throw .unassignedSlots(count: Self.slotCount - assigned.count, first: first)
    }
    try self.init(version: form.version, shards: shards, owners: assigned)
  }

  /// The map as JSON.
  ///
  /// The output is deterministic.
  ///
  /// - Throws: An error of the encoder, which is not expected for any map.
  public var json: Data {
    get throws {
      let entries = shards.map { shard in
        Form.Entry(
          name: shard.name, primary: shard.primary, store: shard.storeID?.description,
          slots: slots(of: shard.name).map { [$0.lowerBound, $0.upperBound] })
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(Form(format: Self.format, version: version, shards: entries))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "the field \"\(key.stringValue)\" is missing."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "the field \"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of another "
        + "type."
    default: "it is not JSON."
    }
  }
}
