/// A byte string that is valid as long as the block that contains it.
@usableFromInline
package struct Blob: @unchecked Sendable {
  package var address: UnsafeRawPointer
  package var count: Int
}
