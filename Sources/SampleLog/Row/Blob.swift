/// Bytes that live as long as the block they belong to.
@usableFromInline
package struct Blob: @unchecked Sendable {
  package var address: UnsafeRawPointer
  package var count: Int
}
