/// A piece of uninitialised memory that is freed with the object.
///
/// It is written by one thread before others get to see it, and never again.
package final class RawMemory: @unchecked Sendable {
  /// How many bytes behind the end may be read (they mean nothing): unpacking loads whole words.
  package static let slack = 8

  package let count: Int
  package let base: UnsafeMutableRawPointer

  package init(_ count: Int, alignment: Int = 16) {
    self.count = count
    base = .allocate(byteCount: count + RawMemory.slack, alignment: alignment)
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: RawMemory.slack)
  }

  /// The bytes; whoever reads them keeps the object alive with `withExtendedLifetime`.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package var writable: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { base.deallocate() }
}
