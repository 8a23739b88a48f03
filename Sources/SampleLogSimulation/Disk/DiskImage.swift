/// What a disk may hold after a crash: names and the bytes behind them.
///
/// Copies share their bytes until one of them is written to.
package struct DiskImage: Sendable {
  package struct Entry: Sendable {
    package var name: String
    package var bytes: [UInt8]
    package var hash: UInt64
  }

  package private(set) var entries: [Entry] = []
  /// Bytes of an older life of the blocks that a file's next ones may be put on, by name.
  package var ghosts: [String: [UInt8]] = [:]

  package init() {}

  package mutating func add(_ name: String, _ bytes: [UInt8], hash: UInt64) {
    entries.append(Entry(name: name, bytes: bytes, hash: hash))
  }

  package mutating func set(_ name: String, to bytes: [UInt8]) {
    entries.removeAll { $0.name == name }
    add(name, bytes, hash: stableHash(bytes))
  }

  package mutating func remove(_ name: String) { entries.removeAll { $0.name == name } }

  package subscript(_ name: String) -> [UInt8]? { entries.first { $0.name == name }?.bytes }

  /// A hash of all names and bytes, whatever their order.
  package var hash: UInt64 {
    entries.reduce(0x51) { $0 &+ mixed($1.hash ^ stableHash(Array($1.name.utf8))) }
  }
}
