public import Foundation
public import HealthStore
public import HealthTransfer

extension HKHealthStore {
  /// Saves what a phone sent, all of it or nothing.
  ///
  /// One commit has the samples with their identifiers, source revisions, devices and what belongs
  /// to them, the deletions, and how far the device is. When this returns it is durable.
  ///
  /// ```swift
  /// let batch = try TransferBatch(body)
  /// let receipt = try await people.store(subject: "ada").receive(batch)
  /// return receipt.reply.data
  /// ```
  ///
  /// - The batches of a device are taken in the order of their numbers, those of other devices of
  ///   the person meanwhile. One that the store has already is acknowledged and changes
  ///   nothing. One that has other samples under the number of an earlier one is refused: it is
  ///   another phone's.
  /// - A sample whose identifier the store has is left out, and so is one that was deleted, as long
  ///   as its deletion is remembered, whichever device it comes from.
  /// - Sync identifiers are kept as metadata and replace nothing: phones have decided that already.
  /// - What HealthKit asks of new samples is not asked again. A sample that makes no sense is left
  ///   out and named in the receipt; the others are saved.
  ///
  /// It does not ask who sends: authentication is the transport's. A policy of
  /// `HKHealthStore.authorization` plays no part.
  ///
  /// - Parameter batch: What the phone sent.
  /// - Returns: What was done, and the reply for the phone.
  /// - Throws: ``TransferGap`` when batches are missing in front of this one,
  ///   ``TransferConflict`` when the store has another batch of its number,
  ///   `TransferError.anotherPerson` when the store has one of the samples as another person's, and
  ///   `HKError` when the store cannot be read or written to. Nothing is saved then.
  /// - Complexity: Linear in the batch, and in the remembered deletions of the person's samples of
  ///   types of which the batch has new ones.
  public func receive(_ batch: TransferBatch) async throws -> TransferReceipt {
    try await committing { writer, snapshot in
      var receiver = BatchReceiver(batch)
      return try receiver.receive(into: &writer, snapshot)
    }
  }

  /// The same on the calling thread, for tests that cannot wait otherwise.
  package func receiveBlocking(_ batch: TransferBatch) throws -> TransferReceipt {
    try commitBlocking { writer, snapshot in
      var receiver = BatchReceiver(batch)
      return try receiver.receive(into: &writer, snapshot)
    }
  }

  /// Returns how far a device is: what ``receive(_:)`` would reply to a batch that the store has.
  ///
  /// - Parameter device: The device, as its batches name it.
  /// - Returns: The number of its last batch, 0 for none, and its anchors.
  /// - Throws: `HKError` when the store cannot be opened.
  public func transferState(of device: UUID) async throws -> TransferReply {
    try await committing { writer, _ in
      let state = try DeviceState(device, writer)
      return TransferReply(
        device: device, number: state.number, isGap: false, anchors: state.anchors)
    }
  }
}
