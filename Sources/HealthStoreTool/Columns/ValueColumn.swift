/// A column of fixed-size values.
struct ValueColumn<Value: BitwiseCopyable> {
  /// The values of the rows that have one.
  private(set) var values: [Value] = []
  private(set) var presence = Presence()

  @inline(__always)
  mutating func append(_ value: Value) {
    presence.append(true)
    values.append(value)
  }

  @inline(__always)
  mutating func appendNull() { presence.append(false) }

  mutating func append(ifAny value: Value?) {
    if let value { append(value) } else { appendNull() }
  }

  /// Removes all rows but keeps the allocated memory.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    presence = Presence()
  }
}
