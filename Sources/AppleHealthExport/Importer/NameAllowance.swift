/// A limit on the names that an import adds to a store, which keeps every name in memory.
///
/// Real exports have dozens of sources and devices, and a few unknown types. A file crafted to
/// exhaust memory has a new name in each record.
struct NameAllowance {
  /// The maximum number of distinct unknown types.
  static let mostUnknownTypes = 256
  /// The maximum size of an unknown type's identifier, in bytes.
  static let longestType = 256
  /// The maximum size of a unit, in bytes.
  static let longestUnit = 256
  /// The maximum size of a stored source or device in bytes, which is the store's own limit.
  static let longestOrigin = 65_535
  /// The maximum number of distinct units, sources and devices, and of their bytes in total.
  static let mostNames = 65_536
  static let mostNameBytes = 16 << 20

  private var unknownTypes: Set<String> = []
  /// The hashes of the names; the names themselves would take the memory that this type limits.
  private var names: Set<Int> = []
  private var nameBytes = 0

  init() {}

  /// Admits an unknown type, or throws if a limit is exceeded.
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

  /// Admits a unit, a source or a device in its stored form, or throws if a limit is exceeded.
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
