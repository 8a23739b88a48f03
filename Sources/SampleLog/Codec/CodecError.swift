/// A reason why bytes cannot be the output of an encoder.
///
/// Decoders do not know the file that they read. Their callers convert this error into
/// ``StoreError/damaged(file:offset:reason:)``.
package struct CodecError: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
