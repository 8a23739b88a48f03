/// The limits of batches, replies and stored progress; Docs/transfer.md lists them.
package enum TransferLimit {
  /// The maximum size of a batch or a reply, in bytes.
  package static let bytes = 16 << 20
  /// The maximum size of an archived anchor, in bytes.
  package static let anchorBytes = 4096
  /// The maximum number of type and unit names in a batch.
  package static let names = 4096
  /// The maximum size of a name, in bytes.
  package static let nameBytes = 1024
  /// The maximum number of source revisions in a batch, and of devices.
  package static let origins = 1024
  /// The maximum size of an encoded source revision or device, in bytes.
  package static let originBytes = 16_384
  /// The greatest number of a batch, which leaves room to increment it without overflow.
  ///
  /// One batch per microsecond reaches it after 140,000 years.
  package static let number: UInt64 = 1 << 62
  /// The number of a device's latest batches that a server recognises if they are sent again.
  package static let recognized = 16
  /// The maximum number of a subject's devices whose progress a server stores.
  package static let devices = 64
  /// The maximum number of a device's cursors that a server stores.
  package static let cursors = 16
}
