public import Foundation
public import HealthStore
public import HealthTransfer

extension HKHealthStore {
  /// Saves a batch from a phone atomically.
  ///
  /// A single commit contains the samples with their identifiers, source revisions, devices and
  /// child rows, the deletions, and the progress of the device. The commit is durable when the
  /// method returns.
  ///
  /// ```swift
  /// let batch = try TransferBatch(body)
  /// let receipt = try await database.store(subject: "ada").receive(batch)
  /// return receipt.reply.data
  /// ```
  ///
  /// - The batches of a device are accepted in the order of their numbers, independently of the
  ///   subject's other devices. A batch that the store already has is acknowledged and changes
  ///   nothing. A batch with other samples under the number of an earlier batch comes from another
  ///   phone and is rejected.
  /// - A sample is skipped if the store has its identifier, or if the store retains its deletion,
  ///   regardless of the device that sent it.
  /// - Sync identifiers are stored as metadata and replace nothing, because the phone has already
  ///   applied them.
  /// - HealthKit's requirements for new samples are not checked again. An invalid sample is skipped
  ///   and reported in the receipt; the other samples are saved.
  ///
  /// The method does not authenticate the sender; this is the task of the transport. It ignores
  /// `HKHealthStore.authorization`.
  ///
  /// - Parameter batch: The batch.
  /// - Returns: The result, and the reply for the phone.
  /// - Throws: ``TransferGap`` if earlier batches are missing, ``TransferConflict`` if the store
  ///   has another batch with the same number, `TransferError.anotherSubject` if one of the samples
  ///   belongs to another subject, or `HKError` if the store cannot be read or written. Nothing is
  ///   saved after an error.
  /// - Complexity: Linear in the size of the batch, and in the retained deletions of the subject's
  ///   samples of types of which the batch has new samples.
  public func receive(_ batch: TransferBatch) async throws -> TransferReceipt {
    try await committing { writer, snapshot in
      var receiver = BatchReceiver(batch)
      return try receiver.receive(into: &writer, snapshot)
    }
  }

  /// Returns the progress of a device as a reply.
  ///
  /// - Parameter device: The identifier of the device in its batches.
  /// - Returns: The number of the device's last batch, or 0 if there is none, and all stored
  ///   anchors.
  /// - Throws: `HKError` if the store cannot be opened or the state cannot be read.
  public func transferState(of device: UUID) async throws -> TransferReply {
    try await committing { writer, _ in
      let state = try DeviceState(device, writer)
      return TransferReply(
        device: device, number: state.number, isGap: false, anchors: state.anchors)
    }
  }
}
