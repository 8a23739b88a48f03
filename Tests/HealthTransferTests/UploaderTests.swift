import Foundation
import HealthStore
import HealthTransferServer
import SampleLog
import Testing

@testable import HealthTransfer

@Suite struct UploaderTests {
  private let phone = HKHealthStore.inMemory()
  private let server = HKHealthStore.inMemory()
  private let heartRate = HKQuantityType(.heartRate)
  private let steps = HKQuantityType(.stepCount)

  private func count(_ store: HKHealthStore) throws -> Int { try Contents(store).samples.count }

  @Test func `An unacknowledged batch is built again`() async throws {
    try await phone.save([try Phone.beat(60), try Phone.beat(61)])
    let uploader = TransferUploader(store: phone, types: [heartRate], batchSize: 1)
    let first = try #require(try await uploader.nextBatch())
    let second = try #require(try await uploader.nextBatch())
    #expect(second.samples == first.samples && second.number == first.number)
    #expect(second.cursor == first.cursor)
    #expect(try ArchivedForm.anchor(second.anchor) == ArchivedForm.anchor(first.anchor))
    #expect(first.number == 1 && first.sampleCount == 1)
    try await uploader.take(try await server.receive(first).reply)
    #expect(try await uploader.nextBatch()?.number == 2)
  }

  @Test func `An upload resumes from kept progress, and restarts without duplicates`() async throws
  {
    try await phone.save([try Phone.beat(60), try Phone.beat(61)])
    let uploader = TransferUploader(store: phone, types: [heartRate])
    try await send(uploader, to: server)
    let kept = try JSONEncoder().encode(await uploader.progress)
    try await phone.save(try Phone.beat(62))
    let again = TransferUploader(
      store: phone, types: [heartRate],
      progress: try JSONDecoder().decode(TransferProgress.self, from: kept))
    #expect(try await again.nextBatch()?.sampleCount == 1)
    try await send(again, to: server)
    let new = try await send(TransferUploader(store: phone, types: [heartRate]), to: server)
    #expect(new.map(\.knownCount) == [3] && new.map(\.addedCount) == [0])
  }

  @Test func `A lost reply loses nothing, even if the next batch differs`() async throws {
    try await phone.save(try Phone.beat(60))
    let uploader = TransferUploader(store: phone, types: [heartRate])
    let lost = try await server.receive(try #require(try await uploader.nextBatch()))
    try await phone.save(try Phone.beat(61))
    // It has the number of the previous batch, and one more sample.
    let batch = try #require(try await uploader.nextBatch())
    let receipt = try await server.receive(batch)
    #expect(batch.number == 1 && batch.sampleCount == 2)
    #expect(receipt.addedCount == 1 && receipt.knownCount == 1)
    try await uploader.take(receipt.reply)
    try await send(uploader, to: server)
    #expect(try Contents(server) == Contents(phone))
    // The first reply arrives late.
    try await uploader.take(lost.reply)
    #expect(await uploader.progress.acknowledged == 1)
  }

  @Test func `Types added later are sent from their beginning, others from their position`()
    async throws
  {
    try await phone.save([try Phone.beat(60), try Phone.quantity(.stepCount, .count(), 5)])
    let first = TransferUploader(store: phone, types: [heartRate])
    try await send(first, to: server)
    let second = TransferUploader(
      store: phone, types: [heartRate, steps], progress: await first.progress)
    #expect(try await send(second, to: server).map(\.addedCount) == [1])
    try await phone.save(try Phone.beat(61))
    let third = TransferUploader(store: phone, types: [heartRate], progress: await second.progress)
    #expect(try await send(third, to: server).map(\.addedCount) == [1])
    #expect(try count(server) == 3)
  }

  @Test func `A restored server receives its lost samples again if the app agrees`()
    async throws
  {
    try await phone.save(try Phone.beat(60))
    let uploader = TransferUploader(store: phone, types: [heartRate])
    try await send(uploader, to: server)
    try await phone.save(try Phone.beat(61))
    try await send(uploader, to: server)
    // The restored server has lost the first two.
    let restored = HKHealthStore.inMemory()
    try await phone.save(try Phone.beat(62))
    let batch = try #require(try await uploader.nextBatch())
    let gap = await #expect(throws: TransferGap.self) { try await restored.receive(batch) }
    let reply = try #require(gap?.reply)
    await #expect(throws: TransferError.gap(wanted: 1)) { try await uploader.take(reply) }
    try await uploader.rewind(to: reply)
    try await send(uploader, to: restored)
    #expect(try Contents(restored) == Contents(phone))
  }

  @Test func `A reply to another device is refused`() async throws {
    let other = TransferReply(device: UUID(), number: 1, isGap: false, anchors: [:])
    let uploader = TransferUploader(store: phone, types: [heartRate])
    await #expect(throws: TransferError.anotherDevice(other.device)) {
      try await uploader.take(other)
    }
  }

  @Test func `An upload keeps its progress after each reply, and ends at a failure`()
    async throws
  {
    try await phone.save(try (0..<5).map { try Phone.beat(60 + Double($0)) })
    let uploader = TransferUploader(store: phone, types: [heartRate], batchSize: 2)
    let kept = Locked<[UInt64]>([])
    let server = server
    struct Offline: Error {}
    await #expect(throws: Offline.self) {
      try await uploader.upload { data in
        let batch = try TransferBatch(data)
        if batch.number == 2 { throw Offline() }
        return try await server.receive(batch).reply.data
      } saving: { progress in
        kept.withLock { $0.append(progress.acknowledged) }
      }
    }
    #expect(kept.withLock { $0 } == [1])
    try await uploader.upload { try await server.receive(try TransferBatch($0)).reply.data }
    #expect(try count(server) == 5)
  }

  @Test func `A sample above the limit is skipped and named, and the others are sent`() async throws
  {
    func record(_ bytes: Int) throws -> HKClinicalRecord {
      try HKClinicalRecord.validated(
        type: HKClinicalType(.labResultRecord), displayName: "Iron",
        fhirResource: HKFHIRResource(
          resourceType: .observation, identifier: "7", fhirVersion: .primaryR4(),
          data: Data(count: bytes), sourceURL: nil), start: Phone.start, end: Phone.start,
        metadata: nil, sourceRevision: Phone.revision)
    }
    let large = try record(10_000)
    try await phone.save([try record(6000), try record(6000), large, try Phone.beat(60)])
    let uploader = TransferUploader(
      store: phone, types: [HKClinicalType(.labResultRecord), heartRate],
      progress: TransferProgress(), batchSize: 1000, byteLimit: 10_000)
    // Two records that fit into a batch one by one, but not together.
    let receipts = try await send(uploader, to: server)
    #expect(receipts.reduce(0) { $0 + $1.addedCount } == 3)
    #expect(await uploader.leftOut == [large.uuid])
  }
}
