/// The possible contents of a disk after a crash: names and their bytes.
///
/// Copy-on-write: copies share bytes until one is changed.
package struct DiskImage: Sendable {
  package struct Entry: Sendable {
    package var name: String
    package var bytes: [UInt8]
    package var hash: UInt64
  }

  package private(set) var entries: [Entry] = []
  /// Stale bytes of blocks that may be allocated to a file, by name.
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

  /// A hash of all names and bytes, independent of their order.
  package var hash: UInt64 {
    entries.reduce(0x51) { $0 &+ mixed($1.hash ^ stableHash(Array($1.name.utf8))) }
  }
}
