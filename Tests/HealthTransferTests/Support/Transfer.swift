import Foundation
import HealthStore
import SampleLog
import HealthTransferServer
import Testing

@testable import HealthTransfer

/// Sends all pending batches of a phone to a server, through their encoded form.
@discardableResult
func send(
  _ uploader: TransferUploader, to server: HKHealthStore
) async throws -> [TransferReceipt] {
  var receipts: [TransferReceipt] = []
  while let batch = try await uploader.nextBatch() {
    let receipt = try await server.receive(try TransferBatch(batch.data))
    receipts.append(receipt)
    try await uploader.take(try TransferReply(receipt.reply.data))
  }
  return receipts
}

/// The content of a person's store that a transfer must preserve.
struct Contents: Equatable {
  /// A sample without its sync identifier and version.
  struct Sample: Equatable {
    var row: StoredSample
    var extras: [UInt8]
  }

  var samples: [String: Sample] = [:]
  /// The child rows that are compared byte by byte.
  var children: [String: Sample] = [:]

  init(_ store: HKHealthStore) throws {
    let objects = try StoredObjects(store)
    for type in objects.types {
      try objects.forEach(type) { object in
        var sample = StoredSample(
          uuid: object.uuid, type: type, start: object.start, end: object.end, value: object.value)
        sample.unit = String(decoding: objects.name(object.unit), as: UTF8.self)
        sample.source = objects.name(object.source)
        sample.device = objects.name(object.device)
        samples["\(type) \(object.uuid)"] = Sample(
          row: sample, extras: compared(object.extras, type))
        try objects.forEachChild(of: object) { row in
          guard row.childType == PointChunk.childType || row.childType == "effort" else { return }
          var row = row
          // An effort has a number and an identifier of its own in each store.
          if row.childType == "effort" { (row.uuid, row.value) = (object.uuid, 0) }
          children["\(row.childType ?? "") \(object.uuid) \(row.value)"] = Sample(
            row: row, extras: row.extras)
        }
      }
    }
  }
}

/// The extras that both stores have in common.
///
/// HealthKit does not expose the sample counts of statistics or the names of medications.
private func compared(_ bytes: [UInt8], _ type: String) -> [UInt8] {
  guard var extras = bytes.withUnsafeBytes({ Extras($0) }) else { return bytes }
  extras.syncIdentifier = []
  extras.syncVersion = 0
  if type == HKObjectType.workoutType().identifier
    || type == HKObjectType.medicationDoseEventType().identifier
  {
    extras.payload = []
  }
  return extras.encoded
}
