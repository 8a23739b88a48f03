/// Bounds the names that an import adds to a store, which keeps every name in memory.
///
/// Real exports have dozens of sources and devices, and a few types that this version does not
/// know. A file made to fill memory has another name in each record.
struct NameAllowance {
  /// Distinct types that this version does not know.
  static let mostUnknownTypes = 256
  /// The bytes of such a type's identifier.
  static let longestType = 256
  /// The bytes of a unit.
  static let longestUnit = 256
  /// The bytes of a source or a device as the store keeps it, which is the store's own limit.
  static let longestOrigin = 65_535
  /// Distinct units, sources and devices, and the bytes of them all.
  static let mostNames = 65_536
  static let mostNameBytes = 16 << 20

  private var unknownTypes: Set<String> = []
  /// Hashes, because to keep the names themselves is what costs memory.
  private var names: Set<Int> = []
  private var nameBytes = 0

  init() {}

  /// Takes a type that this version does not know.
  mutating func admit(unknownType type: String) throws(ImportRejection) {
    if unknownTypes.contains(type) { return }
    guard type.utf8.count <= Self.longestType else {
      throw ImportRejection(problem: .nameTooLong(type: type, what: "type"))
    }
    guard unknownTypes.count < Self.mostUnknownTypes else {
      throw ImportRejection(problem: .tooManyNames(what: "unknown types"))
    }
    unknownTypes.insert(type)
  }

  /// Takes a unit, a source or a device, as the store keeps it.
  mutating func admit(
    _ name: some Sequence<UInt8>, _ what: String, type: String, longest: Int
  ) throws(ImportRejection) {
    var hasher = Hasher()
    hasher.combine(what)
    var count = 0
    for byte in name {
      hasher.combine(byte)
      count += 1
    }
    guard count <= longest else {
      throw ImportRejection(problem: .nameTooLong(type: type, what: what))
    }
    let hash = hasher.finalize()
    if names.contains(hash) { return }
    guard names.count < Self.mostNames, nameBytes + count <= Self.mostNameBytes else {
      throw ImportRejection(problem: .tooManyNames(what: "units, sources and devices"))
    }
    names.insert(hash)
    nameBytes += count
  }
}
