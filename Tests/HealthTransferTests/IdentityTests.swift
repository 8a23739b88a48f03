import Foundation
import HealthStore
import HealthTransferServer
import Testing

@testable import HealthTransfer

/// Phones that share a device identifier, and impossible replies.
@Suite struct IdentityTests {
  private let server = HKHealthStore.inMemory()
  private let heartRate = HKQuantityType(.heartRate)

  private func uploader(_ store: HKHealthStore, _ progress: TransferProgress) -> TransferUploader {
    TransferUploader(store: store, types: [heartRate], progress: progress, batchSize: 2)
  }

  private func upload(_ uploader: TransferUploader) async throws {
    let server = server
    try await uploader.upload { data in
      do {
        return try await server.receive(try TransferBatch(data)).reply.data
      } catch let conflict as TransferConflict {
        return conflict.reply.data
      }
    }
  }

  @Test(arguments: 0...3)
  func `A second phone with the progress of the first loses nothing`(kept: Int) async throws {
    let (first, second) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    var progress = TransferProgress()
    var backup = progress
    for round in 0..<4 {
      if round == kept { backup = progress }
      try await first.save([try Phone.beat(60), try Phone.beat(61)])
      let uploader = uploader(first, progress)
      try await upload(uploader)
      progress = await uploader.progress
    }
    // The second phone has samples before the backup's anchor as well.
    for _ in 0..<6 { try await second.save(try Phone.beat(80)) }
    backup.rewindAnchors()
    let other = uploader(second, backup)
    let batch = try #require(try await other.nextBatch())
    let before = try Contents(server)
    await #expect(throws: TransferConflict.self) { try await server.receive(batch) }
    #expect(try Contents(server) == before)
    try await upload(other)
    #expect(await other.progress.device != progress.device)
    try await first.save(try Phone.beat(90))
    try await upload(uploader(first, progress))
    #expect(try Contents(server).samples.count == 8 + 6 + 1)
  }

  @Test func `A repeated batch is acknowledged, even after later ones`()
    async throws
  {
    let phone = HKHealthStore.inMemory()
    try await phone.save(try (0..<6).map { try Phone.beat(60 + Double($0)) })
    let uploader = uploader(phone, TransferProgress())
    var batches: [TransferBatch] = []
    while let batch = try await uploader.nextBatch() {
      batches.append(batch)
      try await uploader.take(try await server.receive(batch).reply)
    }
    #expect(batches.count == 3)
    for batch in batches {
      let receipt = try await server.receive(batch)
      #expect(receipt.isRepeated && receipt.reply.number == batch.number)
      #expect(receipt.reply.anchors == [batch.cursor: batch.anchor])
    }
  }

  @Test func `A conflict is encoded and is an error with a message`() throws {
    let reply = TransferReply(
      device: UUID(), number: 9, isGap: false, isConflict: true, anchors: [:])
    #expect(try TransferReply(reply.data) == reply)
    #expect("\(TransferError.anotherBatch(number: 9))".hasSuffix("."))
  }

  /// Replies of a server that are wrong in one field each.
  private static func replies(_ progress: TransferProgress) -> [TransferReply] {
    let cursor = progress.cursors[0].id
    var replies: [TransferReply] = []
    for isGap in [false, true] {
      func add(_ device: UUID, _ number: UInt64, _ anchors: [UInt64: [UInt8]]) {
        replies.append(
          TransferReply(device: device, number: number, isGap: isGap, anchors: anchors))
      }
      for number in [UInt64.max, UInt64.max - 1, UInt64(1) << 63, UInt64(1) << 62 + 1] {
        add(progress.device, number, [:])
      }
      add(progress.device, 1, [cursor: [1]])
      add(progress.device, 1, [cursor: [UInt8](repeating: 0xFF, count: 4096)])
      add(progress.device, 1, [cursor: Array("bplist00".utf8)])
      add(UUID(), 1, [:])
    }
    return replies
  }

  @Test func `An impossible reply is refused, and nothing of it is kept`() async throws {
    let phone = HKHealthStore.inMemory()
    try await phone.save(try Phone.beat(60))
    let uploader = uploader(phone, TransferProgress())
    let progress = await uploader.progress
    for reply in Self.replies(progress) {
      await #expect(throws: TransferError.self) { try await uploader.take(reply) }
      await #expect(throws: TransferError.self) { try await uploader.rewind(to: reply) }
      #expect(await uploader.progress == progress)
      #expect(try await uploader.nextBatch()?.number == 1)
    }
    try await upload(uploader)
    #expect(try Contents(server) == Contents(phone))
  }

  @Test(arguments: [UInt64.max, UInt64(1) << 62 + 1])
  func `An upload restarts if an earlier version kept an impossible reply`(
    number: UInt64
  ) async throws {
    let phone = HKHealthStore.inMemory()
    try await phone.save(try Phone.beat(60))
    var progress = await uploader(phone, TransferProgress()).progress
    progress.acknowledged = number
    progress.cursors[0].anchor = [1, 2, 3]
    let kept = try JSONEncoder().encode(progress)
    let again = try JSONDecoder().decode(TransferProgress.self, from: kept)
    #expect(again.device != progress.device && again.acknowledged == 0)
    try await upload(uploader(phone, again))
    #expect(try Contents(server) == Contents(phone))
    progress.acknowledged = 0
    let broken = try JSONDecoder().decode(
      TransferProgress.self, from: try JSONEncoder().encode(progress))
    #expect(broken.device == progress.device && broken.cursors[0].anchor.isEmpty)
  }

  @Test func `A batch whose number has no successor is refused`() {
    for number in [UInt64(0), UInt64.max, UInt64(1) << 62 + 1] {
      let batch = TransferBatch(
        device: UUID(), number: number, cursor: 0, anchor: [], samples: [], deletions: [])
      #expect(throws: TransferError.self) { try TransferBatch(batch.data) }
    }
  }
}

extension TransferProgress {
  /// Restarts every cursor from its beginning, because anchors of another store are invalid here.
  fileprivate mutating func rewindAnchors() {
    for index in cursors.indices { cursors[index].anchor = [] }
  }
}
