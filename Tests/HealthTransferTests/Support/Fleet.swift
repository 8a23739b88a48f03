import Foundation
import HealthStore
import HealthTransferServer
import SampleLog
import SampleLogSimulation

@testable import HealthTransfer

/// Phones of many people, a network that loses, repeats and reorders, and a server that crashes.
///
/// Each person has two phones, which share some samples as if synchronised through a cloud.
final class Fleet {
  private struct Phone {
    let subject: String
    let store: HKHealthStore
    var uploader: TransferUploader
    /// The last saved progress, possibly outdated.
    var kept: TransferProgress
  }

  private struct Packet {
    let phone: Int
    let data: Data
  }

  private static let types = [HKQuantityType(.heartRate), HKQuantityType(.stepCount)]

  private var random: Seeded
  private var phones: [Phone] = []
  /// The expected samples of each person on both phones.
  private var samples: [[HKQuantitySample]]
  /// Samples that one phone has deleted and the other has not yet.
  private var pending: [(phone: Int, sample: HKQuantitySample)] = []
  private var requests: [Packet] = []
  private var replies: [Packet] = []
  private var files = MemoryFileSystem()
  private var database: Database
  private(set) var crashes = 0
  private(set) var repeated = 0
  private(set) var lost = 0
  private(set) var deleted = 0
  private(set) var conflicts = 0

  init(phones count: Int, seed: UInt64) throws {
    random = Seeded(seed)
    database = try Database(path: "server", fileSystem: files)
    samples = Array(repeating: [], count: count / 2)
    // The phones of one kind share a database, one subject each.
    let stores = [try HealthDatabase.inMemory(), try HealthDatabase.inMemory()]
    for number in 0..<count {
      let subject = "person \(number / 2)"
      let store = stores[number % 2].store(subject: subject)
      let uploader = TransferUploader(
        store: store, types: Self.types, progress: TransferProgress(device: Self.device(number)),
        batchSize: 3)
      phones.append(
        Phone(
          subject: subject, store: store, uploader: uploader,
          kept: TransferProgress(device: Self.device(number))))
    }
  }

  private static func device(_ number: Int) -> UUID {
    Identifier(high: 0xF1EE7, low: UInt64(number)).uuid
  }

  private func server(_ subject: String) -> HKHealthStore {
    HKHealthStore(database: database, subject: subject)
  }

  /// Each phone records, deletes, sends and receives replies in every round, in random order.
  func live(rounds: Int) async throws {
    for _ in 0..<rounds {
      for phone in phones.indices.shuffled(using: &random) {
        if random.oneIn(2) { try await record(phone) }
        if random.oneIn(6) { try await delete(phone) }
        try await send(phone)
        if random.oneIn(20) { restart(phone) }
        while requests.count > 20 { try await deliverRequest() }
        while replies.count > 20 { try await deliverReply() }
      }
      try crash()
    }
  }

  private func record(_ phone: Int) async throws {
    let type = random.oneIn(2) ? HKQuantityTypeIdentifier.heartRate : .stepCount
    let unit = type == .stepCount ? HKUnit.count() : HealthTransferTests.Phone.perMinute
    let new = try (0..<1 + random.below(4)).map { _ in
      try HealthTransferTests.Phone.quantity(
        type, unit, Double(random.below(200)), Double(random.below(1_000_000)))
    }
    try await phones[phone].store.save(new)
    // The other phone gets them at once or never.
    if random.oneIn(2) { try await phones[phone ^ 1].store.save(new) }
    samples[phone / 2] += new
  }

  private func delete(_ phone: Int) async throws {
    let subject = phone / 2
    guard !samples[subject].isEmpty else { return }
    let sample = samples[subject].remove(at: random.below(samples[subject].count))
    deleted += 1
    try await delete(sample, phone)
    if random.oneIn(2) {
      try await delete(sample, phone ^ 1)
    } else {
      pending.append((phone ^ 1, sample))
    }
  }

  private func delete(_ sample: HKQuantitySample, _ phone: Int) async throws {
    let predicate = HKQuery.predicateForObject(with: sample.uuid)
    try await phones[phone].store.deleteObjects(of: sample.sampleType, predicate: predicate)
  }

  private func send(_ phone: Int) async throws {
    guard let batch = try await phones[phone].uploader.nextBatch() else { return }
    let packet = Packet(phone: phone, data: batch.data)
    // The app repeats a batch without a reply, although the batch may have arrived.
    for _ in 0..<[0, 1, 1, 1, 2, 3][random.below(6)] { requests.append(packet) }
  }

  private func deliverRequest() async throws {
    let packet = requests.remove(at: random.below(requests.count))
    let batch = try TransferBatch(packet.data)
    let receipt: TransferReceipt
    do {
      receipt = try await server(phones[packet.phone].subject).receive(batch)
    } catch let conflict as TransferConflict {
      // A batch rebuilt from outdated progress, with other samples.
      conflicts += 1
      replies.append(Packet(phone: packet.phone, data: conflict.reply.data))
      return
    }
    if receipt.isRepeated { repeated += 1 }
    if random.oneIn(4) {
      lost += 1
    } else {
      replies.append(Packet(phone: packet.phone, data: receipt.reply.data))
    }
  }

  private func deliverReply() async throws {
    let packet = replies.remove(at: random.below(replies.count))
    do {
      try await phones[packet.phone].uploader.take(try TransferReply(packet.data))
    } catch TransferError.anotherBatch {
      await phones[packet.phone].uploader.restart()
    } catch TransferError.anotherDevice {
      // A late reply to the phone's previous identifier.
    }
    if random.oneIn(3) {
      phones[packet.phone].kept = await phones[packet.phone].uploader.progress
    }
  }

  /// Restarts the app with its saved progress.
  private func restart(_ phone: Int) {
    phones[phone].uploader = TransferUploader(
      store: phones[phone].store, types: Self.types, progress: phones[phone].kept, batchSize: 3)
  }

  /// Kills the server and reopens its durable files.
  private func crash() throws {
    files = files.copy()
    database = try Database(path: "server", fileSystem: files)
    crashes += 1
  }

  /// Delivers all messages in transit, then uploads the rest.
  func settle() async throws {
    for (phone, sample) in pending { try await delete(sample, phone) }
    while !requests.isEmpty { try await deliverRequest() }
    while !replies.isEmpty { try await deliverReply() }
    for phone in phones {
      let server = server(phone.subject)
      try await phone.uploader.upload {
        do {
          return try await server.receive(try TransferBatch($0)).reply.data
        } catch let conflict as TransferConflict {
          return conflict.reply.data
        }
      }
    }
    try crash()
  }

  /// The people whose samples on the server differ from the expected ones.
  func differing() async throws -> [String] {
    var result: [String] = []
    for (number, own) in samples.enumerated() {
      let found = try await HKSampleQueryDescriptor(
        predicates: Self.types.map { .quantitySample(type: $0) }, sortDescriptors: []
      ).result(for: server("person \(number)"))
      let expected = Dictionary(uniqueKeysWithValues: own.map { ($0.uuid, $0) })
      let isSame =
        found.count == own.count
        && found.allSatisfy { sample in
          guard let mine = expected[sample.uuid] else { return false }
          return sample.quantity == mine.quantity && sample.startDate == mine.startDate
            && sample.sourceRevision == mine.sourceRevision && sample.device == mine.device
        }
      if !isSame { result.append("person \(number)") }
    }
    return result
  }
}
