import Foundation
import HealthStore
import HealthTransferServer
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthTransfer

/// Two phones of a person that share a device identifier and some samples, on a network that loses
/// and repeats messages.
@Suite struct SharedDeviceTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Everything that a phone counts as acknowledged is stored`(seed: UInt64) async throws {
    let pair = SharedDevice(seed: seed)
    for _ in 0..<60 {
      try await pair.step()
      let missing = try await pair.missing()
      #expect(missing.isEmpty, "\(missing)")
      guard missing.isEmpty else { return }
    }
    try await pair.settle()
    #expect(try await pair.missing().isEmpty)
    #expect(try await pair.unsent() == 0)
    #expect(pair.changed > 0)
  }
}

private final class SharedDevice {
  private static let types = [HKQuantityType(.heartRate), HKQuantityType(.stepCount)]

  private var random: Seeded
  private let server = HKHealthStore.inMemory()
  private let phones = [HKHealthStore.inMemory(), HKHealthStore.inMemory()]
  private var progress: [TransferProgress]
  private var samples: [[HKQuantitySample]] = [[], []]
  private var deleted: Set<UUID> = []
  /// Batches that may be delivered again.
  private var sent: [(phone: Int, data: Data)] = []
  /// The number of batches saved under the number of the last one.
  private(set) var changed = 0

  init(seed: UInt64) {
    random = Seeded(seed)
    let device = Identifier(high: 0xF1EE7, low: seed).uuid
    progress = [TransferProgress(device: device), TransferProgress(device: device)]
  }

  /// An uploader with a random limit, and sometimes with fewer types.
  private func uploader(_ phone: Int) -> TransferUploader {
    TransferUploader(
      store: phones[phone], types: random.oneIn(5) ? [Self.types[0]] : Self.types,
      progress: progress[phone], batchSize: 1 + random.below(4))
  }

  func step() async throws {
    let phone = random.below(2)
    if random.oneIn(2) { try await record(phone) }
    if random.oneIn(6) { try await delete(phone) }
    // Progress of one phone is restored on the other, whose store has other anchors.
    if random.oneIn(30) {
      progress[phone] = progress[phone ^ 1]
      for index in progress[phone].cursors.indices { progress[phone].cursors[index].anchor = [] }
    }
    if random.oneIn(4), let old = sent.randomElement(using: &random) {
      try await deliver(old.data, to: old.phone, isReplyLost: random.oneIn(2))
    }
    let uploader = uploader(phone)
    guard let batch = try await uploader.nextBatch() else { return }
    progress[phone] = await uploader.progress
    sent.append((phone, batch.data))
    if random.oneIn(4) { return }
    try await deliver(batch.data, to: phone, isReplyLost: random.oneIn(3))
  }

  private func record(_ phone: Int) async throws {
    let new = try (0..<1 + random.below(3)).map { _ in
      let isBeat = random.oneIn(2)
      return try Phone.quantity(
        isBeat ? .heartRate : .stepCount, isBeat ? Phone.perMinute : .count(),
        Double(random.below(200)), Double(random.below(1_000_000)))
    }
    let both = random.oneIn(2)
    for other in both ? [0, 1] : [phone] {
      try await phones[other].save(new)
      samples[other] += new
    }
  }

  private func delete(_ phone: Int) async throws {
    guard let sample = samples[phone].randomElement(using: &random) else { return }
    deleted.insert(sample.uuid)
    samples[phone].removeAll { $0.uuid == sample.uuid }
    try await phones[phone].deleteObjects(
      of: sample.sampleType, predicate: HKQuery.predicateForObject(with: sample.uuid))
  }

  private func deliver(_ data: Data, to phone: Int, isReplyLost: Bool) async throws {
    let reply: TransferReply
    let batch = try TransferBatch(data)
    let number = try await server.transferState(of: batch.device).number
    do {
      let receipt = try await server.receive(batch)
      if batch.number == number, !receipt.isRepeated { changed += 1 }
      reply = receipt.reply
    } catch let conflict as TransferConflict {
      reply = conflict.reply
    } catch let gap as TransferGap {
      reply = gap.reply
    }
    if isReplyLost { return }
    do throws(TransferError) {
      try progress[phone].take(try TransferReply(reply.data))
    } catch .anotherBatch {
      progress[phone].restart(as: Identifier(high: random.next(), low: random.next()).uuid)
    } catch .anotherDevice {
      // A late reply to the phone's previous identifier.
    } catch .gap {
      // A late batch of another identifier.
    }
  }

  /// The samples that a phone has yet to send.
  private func pending(_ phone: Int) async throws -> Set<UUID> {
    var left: Set<UUID> = []
    var read: Set<String> = []
    for cursor in progress[phone].cursors {
      read.formUnion(cursor.types)
      let found = try await HKAnchoredObjectQueryDescriptor(
        predicates: cursor.types.map {
          .quantitySample(type: HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0)))
        }, anchor: try ArchivedForm.anchor(cursor.anchor)
      ).result(for: phones[phone])
      left.formUnion(found.addedSamples.map(\.uuid))
    }
    left.formUnion(
      samples[phone].filter { !read.contains($0.sampleType.identifier) }.map(\.uuid))
    return left
  }

  /// The samples that a phone counts as acknowledged and the server does not have.
  func missing() async throws -> [UUID] {
    let stored = try Set(Contents(server).samples.values.map(\.row.uuid))
    var missing: [UUID] = []
    for phone in phones.indices {
      let pending = try await pending(phone)
      missing += samples[phone].map(\.uuid).filter {
        !pending.contains($0) && !stored.contains($0) && !deleted.contains($0)
      }
    }
    return missing
  }

  /// The number of samples that the phones have yet to send.
  func unsent() async throws -> Int {
    try await pending(0).count + pending(1).count
  }

  /// Sends everything.
  func settle() async throws {
    for phone in phones.indices {
      let uploader = TransferUploader(
        store: phones[phone], types: Self.types, progress: progress[phone], batchSize: 3)
      let server = server
      try await uploader.upload { data in
        do {
          return try await server.receive(try TransferBatch(data)).reply.data
        } catch let conflict as TransferConflict {
          return conflict.reply.data
        } catch let gap as TransferGap {
          return gap.reply.data
        }
      }
      progress[phone] = await uploader.progress
    }
  }
}
