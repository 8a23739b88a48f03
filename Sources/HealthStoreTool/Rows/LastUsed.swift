/// What was made for some keys, the last of which is mostly asked for again.
struct LastUsed<Key: Hashable, Value> {
  private var last: (key: Key, value: Value)?
  private var all: [Key: Value] = [:]

  /// Keys come in thousands at the very most, but a bound costs nothing.
  private static var limit: Int { 4096 }

  /// The value of a key that was asked for last; nil for another.
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
