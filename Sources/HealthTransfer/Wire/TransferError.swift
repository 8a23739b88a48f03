public import Foundation

/// Why a transfer between a phone and a server cannot go on.
public enum TransferError: Error, Hashable, Sendable {
  /// The bytes are no batch or reply: what is wrong, and where.
  case malformed(offset: Int, reason: String)
  /// The bytes are of a later version of the format.
  case unsupportedVersion(UInt8)
  /// The checksum differs: bytes were changed on the way.
  case checksumMismatch
  /// There are more bytes than a batch may have.
  case tooLarge(bytes: Int, allowed: Int)
  /// Batches are missing in front of this one: the number of the one that the server wants.
  case gap(wanted: UInt64)
  /// A reply to another device.
  case anotherDevice(UUID)
  /// The server has other data under the number of this batch, which it left out.
  ///
  /// Another phone uses the same device identifier, as after its progress was restored from a
  /// backup of this one. ``TransferProgress/restart(as:)`` gives the phone another identifier.
  case anotherBatch(number: UInt64)
  /// A reply that cannot be true, of which nothing was kept: what is wrong.
  case implausible(String)
  /// A sample of the batch is another person's in the store.
  ///
  /// The same phone has sent it for that person. Rename or merge the person, or use another store.
  case anotherPerson(sample: UUID)
}

extension TransferError: CustomStringConvertible {
  /// What is wrong, as a sentence.
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
    case .anotherPerson(let sample): "The sample \(sample) is another person's in this store."
    }
  }
}
