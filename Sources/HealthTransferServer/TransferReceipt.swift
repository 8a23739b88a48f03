public import Foundation
public import HealthTransfer

/// The result of receiving a batch.
public struct TransferReceipt: Equatable, Sendable {
  /// The reply to send to the phone.
  public internal(set) var reply: TransferReply
  /// Whether the store already had the batch, which then changed nothing.
  public internal(set) var isRepeated = false
  /// The number of samples added.
  public internal(set) var addedCount = 0
  /// The number of samples that the store already had.
  public internal(set) var knownCount = 0
  /// The number of samples skipped because they were deleted from the store.
  public internal(set) var revokedCount = 0
  /// The number of samples deleted.
  public internal(set) var deletedCount = 0
  /// The identifiers of the invalid samples, which were skipped.
  public internal(set) var unusable: [UUID] = []
}

/// An error that rejects a batch because earlier batches are missing; nothing was saved.
public struct TransferGap: Error, Equatable, Sendable {
  /// The number of the batch that the store expects.
  public var wanted: UInt64 { reply.number + 1 }
  /// The reply to send to the phone, from which it determines the data to send again.
  public let reply: TransferReply
}

/// An error that rejects a batch because the store has another one with its device and number;
/// nothing was saved.
///
/// Two phones use one device identifier, for example because the progress of one was restored from
/// a backup of the other. The phone continues with a new identifier
/// (`TransferProgress.restart(as:)`).
public struct TransferConflict: Error, Equatable, Sendable {
  /// The reply to send to the phone, which states that its batch was rejected.
  public let reply: TransferReply
}

extension TransferConflict: CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    "The store has another batch of the device \(reply.device) under the same number; another "
      + "phone uses its identifier."
  }
}
