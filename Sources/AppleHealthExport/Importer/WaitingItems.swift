/// Items that wait for what follows in the file, because others there may have a better claim.
struct WaitingItems {
  /// A record at top level that may stand in a correlation or workout behind it, too.
  struct Held {
    var record: ExportRecord
    var offset: Int64
    /// The hash of everything that the record says.
    var contents: UInt64
  }

  /// The samples of one identity that came inside another object before they came by themselves.
  private var early: [UInt64: UInt32] = [:]
  /// The same, by everything that they say.
  private var earlyContents: [UInt64: UInt32] = [:]
  private var held: [UInt64: [Held]] = [:]
  private var heldOrder: [UInt64] = []
  private var heldCount = 0
  private var deferred: [(item: ExportItem, offset: Int64)] = []
  /// The bytes of the items, about.
  private var byteCount = 0

  private static let most = 65_536
  private static let mostBytes = 64 << 20

  /// Whether the items have to be taken now, so that memory stays bounded.
  var isFull: Bool { heldCount + deferred.count >= Self.most || byteCount >= Self.mostBytes }

  // MARK: Items that the store may have in another form

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

  /// The records at top level of an identity.
  func held(_ identity: UInt64) -> [Held] { held[identity] ?? [] }

  /// Takes the first record at top level that says the same, or else the first one of the identity
  /// if any will do.
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

  /// Takes all records at top level, in the order of the file.
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

  // MARK: Members that came before their copy

  mutating func addEarly(_ identity: UInt64, _ contents: UInt64) {
    early[identity, default: 0] += 1
    earlyContents[identity ^ contents, default: 0] += 1
  }

  /// Whether there are members of an identity without a copy at top level.
  func hasEarly(_ identity: UInt64) -> Bool { !early.isEmpty && early[identity] != nil }

  /// Takes a member that says the same, or else any of the identity if that will do.
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
  /// The bytes that the record takes, about.
  var byteCount: Int { 512 + metadata.byteCount + beats.count * 64 }
}

extension ExportItem {
  /// The bytes that the item takes, about.
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
