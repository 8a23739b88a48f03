/// The bounds of what one batch may hold; Docs/transfer.md lists them.
package enum TransferLimit {
  /// The bytes of a batch or a reply.
  package static let bytes = 16 << 20
  /// The bytes of an archived anchor.
  package static let anchorBytes = 4096
  /// The names of types and units in a batch.
  package static let names = 4096
  /// The bytes of one name.
  package static let nameBytes = 1024
  /// The source revisions in a batch, and the devices.
  package static let origins = 1024
  /// The bytes of a source revision or a device.
  package static let originBytes = 16_384
  /// The greatest number of a batch, from which one can count on without an overflow.
  ///
  /// A batch in every microsecond reaches it after 140,000 years.
  package static let number: UInt64 = 1 << 62
  /// The batches of a device that a server recognises when they are sent again.
  package static let recognized = 16
  /// The devices of a person whose progress a server remembers.
  package static let devices = 64
  /// The cursors of a device that a server remembers.
  package static let cursors = 16
}
