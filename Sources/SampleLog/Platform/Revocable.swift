private import Synchronization

/// Holds an object that many threads use for a moment without a lock or a count of
/// references, and that can be taken away from them.
///
/// All that users write is how many they are, side by side with the object's address. Whoever takes
/// the object away waits for them, so they must neither wait for others nor read files meanwhile.
struct Revocable<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // Below zero while somebody takes the object away.
  private let users = Atomic<Int>(0)
  // Its address; pointers are not sendable.
  private let address = Atomic<UInt>(0)
  private let isMarked = Atomic<Bool>(false)

  init() {}

  deinit { take() }

  /// Puts an object here unless there is one.
  func put(_ object: Object) -> Bool {
    let reference = Unmanaged.passRetained(object)
    let isNew = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: reference.toOpaque()), ordering: .releasing
    ).exchanged
    if !isNew { reference.release() }
    return isNew
  }

  /// Calls a function with the object, and marks it as used; returns nil when there is none.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result? {
    let before = users.wrappingAdd(1, ordering: .acquiring).oldValue
    defer { users.wrappingSubtract(1, ordering: .releasing) }
    guard before >= 0,
      let object = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return nil }
    if !isMarked.load(ordering: .relaxed) { isMarked.store(true, ordering: .relaxed) }
    return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef(body)
  }

  /// Takes the mark away and says whether there was one.
  func takeMark() -> Bool { isMarked.exchange(false, ordering: .relaxed) }

  /// Takes the object away once nobody uses it; one thread at a time may do so.
  func take() {
    users.wrappingAdd(.min, ordering: .acquiring)
    while users.load(ordering: .acquiring) != .min { yieldProcessor() }
    let object = UnsafeRawPointer(
      bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
    isMarked.store(false, ordering: .relaxed)
    users.wrappingSubtract(.min, ordering: .releasing)
    if let object { Unmanaged<Object>.fromOpaque(object).release() }
  }
}
