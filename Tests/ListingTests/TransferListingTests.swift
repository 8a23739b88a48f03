import HealthKit
import HealthTransfer
import HealthTransferServer
import Testing

/// The listings in the comments of both halves of a transfer.
@Suite struct TransferListingTests {
  @Test func `a phone's samples reach a server`() async throws {
    let (store, database) = (HKHealthStore.inMemory(), try HealthDatabase.inMemory())
    let types: [HKSampleType] = [HKQuantityType(.heartRate)]
    try await store.save([beat(60), beat(61, 60)])
    let saved = TransferProgress()
    @Sendable func post(_ body: Data) async throws -> Data {
      let batch = try TransferBatch(body)
      let receipt = try await database.store(subject: "ada").receive(batch)
      return receipt.reply.data
    }
    @Sendable func keep(_ progress: TransferProgress) throws {
      #expect(try !JSONEncoder().encode(progress).isEmpty)
    }

    let uploader = TransferUploader(store: store, types: types, progress: saved)
    try await uploader.upload { batch in
      try await post(batch)
    } saving: {
      try keep($0)
    }

    #expect(try await database.subjects().map(\.sampleCount) == [2])
  }
}
