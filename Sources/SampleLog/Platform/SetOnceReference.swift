private import Synchronization

/// A reference that is set once and then read without locks or reference counting.
///
/// Either would make all readers write to the same cache line.
struct SetOnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // The address of the object, because pointers are not sendable.
  private let address = Atomic<UInt>(0)

  deinit { reference?.release() }

  private var reference: Unmanaged<Object>? {
    @inline(__always)
    get {
      UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map {
        Unmanaged.fromOpaque($0)
      }
    }
  }

  /// Publishes an object to all readers.
  ///
  /// - Precondition: No object has been published.
  func publish(_ object: Object) {
    let new = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    let old = address.exchange(new, ordering: .acquiringAndReleasing)
    precondition(old == 0, "an object is published once")
  }

  /// Calls a function with the object; returns nil if none has been published.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result? {
    try reference?._withUnsafeGuaranteedRef(body)
  }
}
