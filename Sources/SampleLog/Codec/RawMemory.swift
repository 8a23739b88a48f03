/// A block of uninitialised memory that is freed with the object.
///
/// One thread writes it before it is shared; it does not change afterwards.
package final class RawMemory: @unchecked Sendable {
  /// The number of readable but meaningless bytes after the end; unpacking loads whole words.
  package static let slack = 8

  private static let largePage = 2 << 20

  package let count: Int
  package let base: UnsafeMutableRawPointer

  package init(_ count: Int, alignment: Int = 16) {
    self.count = count
    let isLarge = count >= RawMemory.largePage
    base = .allocate(
      byteCount: count + RawMemory.slack, alignment: isLarge ? RawMemory.largePage : alignment)
    // With small pages, random lookups would spend most of their time on TLB misses.
    if isLarge { adviseLargePages(base, count) }
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: RawMemory.slack)
  }

  /// The bytes.
  ///
  /// The caller must keep the object alive with `withExtendedLifetime` while it reads them.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package var writable: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { base.deallocate() }
}
