/// Why encoded bytes cannot be what an encoder wrote.
///
/// Decoders do not know which file they read; whoever does turns this into a
/// ``StoreError/damaged(file:offset:reason:)``.
package struct CodecError: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
