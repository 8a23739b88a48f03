public import Foundation

/// An error that interrupts a transfer between a phone and a server.
public enum TransferError: Error, Hashable, Sendable {
  /// The bytes are not a valid batch or reply; contains the byte offset and the reason.
  case malformed(offset: Int, reason: String)
  /// The bytes are of an unsupported version of the format.
  case unsupportedVersion(UInt8)
  /// The checksum does not match, because bytes were changed in transit.
  case checksumMismatch
  /// The size exceeds the maximum size of a batch.
  case tooLarge(bytes: Int, allowed: Int)
  /// Batches before this one are missing; `wanted` is the number of the batch that the server
  /// expects.
  case gap(wanted: UInt64)
  /// The reply is for another device.
  case anotherDevice(UUID)
  /// The server has other data under the number of this batch, and rejected the batch.
  ///
  /// Another phone uses the same device identifier, for example because its progress was restored
  /// from a backup of this phone. ``TransferProgress/restart(as:)`` assigns a new identifier to the
  /// phone.
  case anotherBatch(number: UInt64)
  /// The reply is invalid and was ignored; contains the reason.
  case implausible(String)
  /// A sample of the batch belongs to another subject in the store.
  ///
  /// The same phone has sent it for that subject. Rename or merge the subjects, or use another
  /// store.
  case anotherSubject(sample: UUID)
}

extension TransferError: CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .malformed(let offset, let reason): "The bytes make no sense at \(offset): \(reason)."
    case .unsupportedVersion(let version): "The bytes are of the later version \(version)."
    case .checksumMismatch: "The checksum differs: bytes were changed on the way."
    case .tooLarge(let bytes, let allowed): "There are \(bytes) bytes, \(allowed) are allowed."
    case .gap(let wanted): "Batches are missing: the server wants number \(wanted)."
    case .anotherDevice(let device): "The reply is for the device \(device)."
    case .anotherBatch(let number):
      "The server has another batch \(number) of this device; another phone uses its identifier."
    case .implausible(let reason): "The server's reply cannot be true: \(reason)."
    case .anotherSubject(let sample): "The sample \(sample) is another person's in this store."
    }
  }
}
