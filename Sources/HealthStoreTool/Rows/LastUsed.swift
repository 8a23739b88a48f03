/// A cache with a fast path for the key that was used last.
struct LastUsed<Key: Hashable, Value> {
  private var last: (key: Key, value: Value)?
  private var all: [Key: Value] = [:]

  /// The number of entries at which the cache is emptied, which is rarely reached.
  private static var limit: Int { 4096 }

  /// Returns the value of the key that was used last, or nil for any other key.
  @inline(__always)
  func last(_ key: Key) -> Value? {
    guard let last, last.key == key else { return nil }
    return last.value
  }

  @inline(__always)
  mutating func value(of key: Key, make: () throws -> Value) rethrows -> Value {
    if let last, last.key == key { return last.value }
    return try find(key, make)
  }

  @inline(never)
  private mutating func find(_ key: Key, _ make: () throws -> Value) rethrows -> Value {
    let value = try all[key] ?? make()
    if all.count >= Self.limit { all.removeAll() }
    all[key] = value
    last = (key, value)
    return value
  }
}
