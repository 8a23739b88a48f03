/// A piece of uninitialised memory that is freed with the object.
///
/// It is written by one thread before others get to see it, and never again.
package final class RawMemory: @unchecked Sendable {
  /// How many bytes behind the end may be read (they mean nothing): unpacking loads whole words.
  package static let slack = 8

  private static let largePage = 2 << 20

  package let count: Int
  package let base: UnsafeMutableRawPointer

  package init(_ count: Int, alignment: Int = 16) {
    self.count = count
    let isLarge = count >= RawMemory.largePage
    base = .allocate(
      byteCount: count + RawMemory.slack, alignment: isLarge ? RawMemory.largePage : alignment)
    // Look-ups at random positions in small pages spend most of their time in finding the page.
    if isLarge { adviseLargePages(base, count) }
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: RawMemory.slack)
  }

  /// The bytes; whoever reads them keeps the object alive with `withExtendedLifetime`.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package var writable: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { base.deallocate() }
}
