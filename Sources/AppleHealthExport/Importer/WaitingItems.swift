/// Items that wait for later items of the file, which may match a stored sample better.
struct WaitingItems {
  /// A record at top level that a later correlation or workout may contain, too.
  struct Held {
    var record: ExportRecord
    var offset: Int64
    /// The hash of the sample's columns and metadata.
    var contents: UInt64
  }

  /// The number of samples of each identity that were read inside another object before their copy
  /// at top level.
  private var early: [UInt64: UInt32] = [:]
  /// The same counts, by identity and contents.
  private var earlyContents: [UInt64: UInt32] = [:]
  private var held: [UInt64: [Held]] = [:]
  private var heldOrder: [UInt64] = []
  private var heldCount = 0
  private var deferred: [(item: ExportItem, offset: Int64)] = []
  /// The approximate size of the items, in bytes.
  private var byteCount = 0

  private static let most = 65_536
  private static let mostBytes = 64 << 20

  /// Whether the items must be imported now to bound memory.
  var isFull: Bool { heldCount + deferred.count >= Self.most || byteCount >= Self.mostBytes }

  // MARK: Items that may be stored in another form

  mutating func deferItem(_ item: ExportItem, at offset: Int64) {
    deferred.append((item, offset))
    byteCount += item.byteCount
  }

  mutating func takeDeferred() -> [(item: ExportItem, offset: Int64)] {
    defer { deferred = [] }
    byteCount -= deferred.reduce(0) { $0 + $1.item.byteCount }
    return deferred
  }

  // MARK: Copies of members

  mutating func hold(_ record: Held, identity: UInt64) {
    held[identity, default: []].append(record)
    heldOrder.append(identity)
    heldCount += 1
    byteCount += record.record.byteCount
  }

  /// Returns the held records of an identity.
  func held(_ identity: UInt64) -> [Held] { held[identity] ?? [] }

  /// Removes and returns the first held record with equal contents or, if `orAny` is true, the
  /// first one of the identity.
  mutating func takeHeld(_ identity: UInt64, like contents: UInt64, orAny: Bool = true) -> Held? {
    guard var found = held[identity], !found.isEmpty,
      let index = found.firstIndex(where: { $0.contents == contents }) ?? (orAny ? 0 : nil)
    else { return nil }
    let result = found.remove(at: index)
    held[identity] = found.isEmpty ? nil : found
    heldCount -= 1
    byteCount -= result.record.byteCount
    return result
  }

  /// Removes and returns all held records, in file order.
  mutating func takeHeld() -> [(record: ExportRecord, offset: Int64)] {
    var result: [(record: ExportRecord, offset: Int64)] = []
    result.reserveCapacity(heldCount)
    for identity in heldOrder {
      guard let found = held.removeValue(forKey: identity) else { continue }
      for one in found {
        result.append((one.record, one.offset))
        byteCount -= one.record.byteCount
      }
    }
    heldOrder = []
    heldCount = 0
    return result.sorted { $0.offset < $1.offset }
  }

  // MARK: Members that were read before their copy

  mutating func addEarly(_ identity: UInt64, _ contents: UInt64) {
    early[identity, default: 0] += 1
    earlyContents[identity ^ contents, default: 0] += 1
  }

  /// Returns whether a member of an identity was read before its copy at top level.
  func hasEarly(_ identity: UInt64) -> Bool { !early.isEmpty && early[identity] != nil }

  /// Removes a member with equal contents or, if `orAny` is true, any one of the identity; returns
  /// whether there was one.
  mutating func takeEarly(_ identity: UInt64, like contents: UInt64, orAny: Bool) -> Bool {
    let isSame = Self.remove(identity ^ contents, from: &earlyContents)
    guard isSame || orAny else { return false }
    return Self.remove(identity, from: &early)
  }

  private static func remove(_ key: UInt64, from counts: inout [UInt64: UInt32]) -> Bool {
    guard let count = counts[key] else { return false }
    counts[key] = count == 1 ? nil : count - 1
    return true
  }
}

extension ExportRecord {
  /// The approximate size of the record, in bytes.
  var byteCount: Int { 512 + metadata.byteCount + beats.count * 64 }
}

extension ExportItem {
  /// The approximate size of the item, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .record(let record): record.byteCount
    case .correlation(let item):
      512 + item.metadata.byteCount + item.records.reduce(0) { $0 + $1.byteCount }
    case .workout(let item):
      2048 + item.metadata.byteCount + item.events.count * 512 + item.statistics.count * 256
        + item.activities.reduce(0) {
          $0 + 1024 + $1.metadata.byteCount + ($1.events.count + $1.statistics.count) * 512
        } + item.routes.reduce(0) { $0 + 512 + $1.locations.count * 128 }
    default: 512
    }
  }
}
