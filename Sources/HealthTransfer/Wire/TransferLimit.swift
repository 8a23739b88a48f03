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
  /// The cursors of a device that a server remembers.
  package static let cursors = 16
}
