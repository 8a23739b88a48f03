private import Synchronization

/// An object that is made once, and from then on found without a lock or a count of references:
/// each is a line of memory that all threads who look for it would write.
struct SetOnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // Its address; pointers are not sendable.
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

  /// Shows an object to all readers.
  ///
  /// - Precondition: There is none yet.
  func publish(_ object: Object) {
    let new = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    let old = address.exchange(new, ordering: .acquiringAndReleasing)
    precondition(old == 0, "an object is published once")
  }

  /// Calls a function with the object; returns nil when there is none yet.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result? {
    try reference?._withUnsafeGuaranteedRef(body)
  }
}
