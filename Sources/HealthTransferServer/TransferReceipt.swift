public import Foundation
public import HealthTransfer

/// What receiving a batch did.
public struct TransferReceipt: Equatable, Sendable {
  /// What to send back to the phone.
  public internal(set) var reply: TransferReply
  /// Whether the store had the batch already, so that it changed nothing.
  public internal(set) var isRepeated = false
  /// How many samples are new.
  public internal(set) var addedCount = 0
  /// How many samples the store had already.
  public internal(set) var knownCount = 0
  /// How many samples were left out because they have been deleted.
  public internal(set) var revokedCount = 0
  /// How many samples were deleted.
  public internal(set) var deletedCount = 0
  /// The samples that make no sense and were left out.
  public internal(set) var unusable: [UUID] = []
}

/// That batches are missing in front of one; nothing of it was saved.
public struct TransferGap: Error, Equatable, Sendable {
  /// The number of the batch that the store wants.
  public var wanted: UInt64 { reply.number + 1 }
  /// What to send back to the phone, which then knows what to send again.
  public let reply: TransferReply
}

/// That the store has another batch of the device and number; nothing of this one was saved.
///
/// Two phones use one device identifier, as after the progress of one was restored from a backup of
/// the other. The phone goes on with an identifier of its own (`TransferProgress.restart(as:)`).
public struct TransferConflict: Error, Equatable, Sendable {
  /// The reply for the phone, which says that its batch was left out.
  public let reply: TransferReply
}

extension TransferConflict: CustomStringConvertible {
  /// A sentence that says what is wrong.
  public var description: String {
    "The store has another batch of the device \(reply.device) under the same number; another "
      + "phone uses its identifier."
  }
}
