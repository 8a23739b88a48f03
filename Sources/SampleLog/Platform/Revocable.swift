private import Synchronization

/// A slot for an object that many threads use briefly, without locks or reference counting, and
/// that another thread can remove.
///
/// Users write only their count, which is adjacent to the object's address. The thread that removes
/// the object spins until all users are done, so users must not block or read files.
struct Revocable<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // Negative while a thread removes the object.
  private let users = Atomic<Int>(0)
  // The address of the object, because pointers are not sendable.
  private let address = Atomic<UInt>(0)
  private let isReferenced = Atomic<Bool>(false)

  init() {}

  deinit { take() }

  /// Stores an object if the slot is empty; returns whether it did.
  func put(_ object: Object) -> Bool {
    let reference = Unmanaged.passRetained(object)
    let isNew = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: reference.toOpaque()), ordering: .releasing
    ).exchanged
    if !isNew { reference.release() }
    return isNew
  }

  /// Calls a function with the object and sets the reference bit; returns nil if the slot is empty.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result? {
    let before = users.wrappingAdd(1, ordering: .acquiring).oldValue
    defer { users.wrappingSubtract(1, ordering: .releasing) }
    guard before >= 0,
      let object = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return nil }
    if !isReferenced.load(ordering: .relaxed) { isReferenced.store(true, ordering: .relaxed) }
    return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef(body)
  }

  /// Clears the reference bit and returns whether it was set.
  func takeReferenceBit() -> Bool { isReferenced.exchange(false, ordering: .relaxed) }

  /// Removes the object after its last use ends; at most one thread may call this at a time.
  func take() {
    users.wrappingAdd(.min, ordering: .acquiring)
    while users.load(ordering: .acquiring) != .min { yieldProcessor() }
    let object = UnsafeRawPointer(
      bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
    isReferenced.store(false, ordering: .relaxed)
    users.wrappingSubtract(.min, ordering: .releasing)
    if let object { Unmanaged<Object>.fromOpaque(object).release() }
  }
}
