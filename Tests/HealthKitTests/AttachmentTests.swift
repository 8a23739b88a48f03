import HealthKit
import Testing
import UniformTypeIdentifiers

/// Files attached to objects through the public interface.
@Suite struct AttachmentTests {
  private let directory = TemporaryDirectory()
  private let store = HKHealthStore.inMemory()
  private var attachments: HKAttachmentStore { HKAttachmentStore(healthStore: store) }

  /// A file of incompressible bytes.
  private func file(_ size: Int, seed: UInt64 = 1) throws -> (url: URL, data: Data) {
    try FileManager.default.createDirectory(
      at: directory.url, withIntermediateDirectories: true)
    let url = directory.url.appendingPathComponent("file-\(size)-\(seed)")
    let data = noise(size, seed: seed)
    try data.write(to: url)
    return (url, data)
  }

  private func saved() async throws -> HKQuantitySample {
    let sample = beat(60)
    try await store.save(sample)
    return sample
  }

  @Test(arguments: [0, 1, 1 << 20, 3_500_000])
  func `An attachment of any size is read back unchanged`(size: Int) async throws {
    let sample = try await saved()
    let (url, data) = try file(size)
    let before = Date().addingTimeInterval(-1)
    let made = try await attachments.addAttachment(
      to: sample, name: "scan.png", contentType: .png, url: url, metadata: ["page": 2])
    let listed = try await attachments.attachments(for: sample)
    #expect(listed == [made])
    let read = try #require(listed.first)
    #expect(read.name == "scan.png" && read.contentType == .png && read.size == size)
    #expect(read.metadata?["page"] as? Int == 2)
    #expect(read.creationDate > before && read.creationDate < Date().addingTimeInterval(1))
    let reader = attachments.dataReader(for: read)
    #expect(try await reader.data == data)
    #expect(reader.progress.completedUnitCount == Int64(size))
    #expect(reader.attachment == made)
  }

  @Test func `Each iteration delivers the content byte by byte from the beginning`()
    async throws
  {
    let (url, data) = try file((1 << 20) + 5)
    let made = try await attachments.addAttachment(
      to: try await saved(), name: "a", contentType: .data, url: url)
    let bytes = attachments.dataReader(for: made).bytes
    var iterator = bytes.makeAsyncIterator()
    #expect(try await iterator.next() == data.first)
    var count = 0
    for try await byte in bytes {
      if byte != data[count] { break }
      count += 1
    }
    #expect(count == data.count)
  }

  @Test func `Content is delivered in chunks of a mebibyte, and the last is marked as such`()
    async throws
  {
    let (url, data) = try file(2_500_000)
    let made = try await attachments.addAttachment(
      to: try await saved(), name: "a", contentType: .data, url: url)
    let (calls, continuation) = AsyncThrowingStream<(Data, Bool), any Error>.makeStream()
    let progress = attachments.streamData(for: made) { data, error, isDone in
      if let data { continuation.yield((data, isDone)) }
      if isDone || error != nil { continuation.finish(throwing: error) }
    }
    var pieces: [(Data, Bool)] = []
    for try await piece in calls { pieces.append(piece) }
    #expect(pieces.map(\.0.count) == [1 << 20, 1 << 20, 2_500_000 - (2 << 20)])
    #expect(pieces.map(\.1) == [false, false, true])
    #expect(pieces.reduce(Data()) { $0 + $1.0 } == data)
    #expect(progress.completedUnitCount == 2_500_000)
    let whole = try await withFencedContinuation { continuation in
      attachments.getData(for: made) { data, error in
        if let data {
          continuation.resume(returning: data)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
    #expect(whole == data)
  }

  @Test func `Reading ends when its progress is cancelled`() async throws {
    let (url, _) = try file(2_500_000)
    let made = try await attachments.addAttachment(
      to: try await saved(), name: "a", contentType: .data, url: url)
    let reader = attachments.dataReader(for: made)
    reader.progress.cancel()
    #expect(await code { try await reader.data } == .errorUserCanceled)
  }

  @Test func `Attachments are listed for their object in the order in which they were added`()
    async throws
  {
    let first = try await saved()
    let other = beat(61)
    try await store.save(other)
    let (url, _) = try file(10)
    for (name, owner) in [("1", first), ("x", other), ("2", first)] {
      _ = try await withFencedContinuation { continuation in
        attachments.addAttachment(to: owner, name: name, contentType: .pdf, url: url) {
          attachment, error in
          if let attachment {
            continuation.resume(returning: attachment)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        }
      }
    }
    #expect(try await attachments.attachments(for: first).map(\.name) == ["1", "2"])
    let listed = try await withFencedContinuation { continuation in
      attachments.getAttachments(for: other) { found, _ in
        continuation.resume(returning: found?.map(\.name))
      }
    }
    #expect(listed == ["x"])
  }

  @Test func `A removed attachment is gone, and the others remain`() async throws {
    let sample = try await saved()
    let (url, _) = try file(1_500_000)
    let (other, data) = try file(1_500_000, seed: 2)
    let gone = try await attachments.addAttachment(
      to: sample, name: "1", contentType: .png, url: url)
    let kept = try await attachments.addAttachment(
      to: sample, name: "2", contentType: .png, url: other)
    try await attachments.removeAttachment(gone, from: sample)
    #expect(try await attachments.attachments(for: sample) == [kept])
    #expect(try await attachments.dataReader(for: kept).data == data)
    #expect(
      await code { try await attachments.dataReader(for: gone).data } == .errorInvalidArgument)
    #expect(
      await code { try await attachments.removeAttachment(gone, from: sample) }
        == .errorInvalidArgument)
    let stranger = beat(80)
    try await store.save(stranger)
    #expect(
      await code { try await attachments.removeAttachment(kept, from: stranger) }
        == .errorInvalidArgument)
  }

  @Test func `Attachments are deleted with their object, and no query returns them as samples`()
    async throws
  {
    let sample = try await saved()
    let (url, _) = try file(1_500_000)
    let made = try await attachments.addAttachment(
      to: sample, name: "1", contentType: .png, url: url)
    #expect(try await store.samples(heartRate) == [sample])
    try await store.delete(sample)
    #expect(
      await code { try await attachments.dataReader(for: made).data } == .errorInvalidArgument)
    #expect(
      await code { try await attachments.attachments(for: sample) } == .errorInvalidArgument)
  }

  @Test func `A refused attachment leaves nothing behind`() async throws {
    let sample = try await saved()
    let missing = directory.url.appendingPathComponent("missing")
    let (url, _) = try file(10)
    let huge = directory.url.appendingPathComponent("huge")
    #expect(FileManager.default.createFile(atPath: huge.path, contents: nil))
    let handle = try FileHandle(forWritingTo: huge)
    try handle.truncate(atOffset: UInt64(HKAttachmentStore.maximumByteCount) + 1)
    try handle.close()
    func add(_ object: HKObject, _ url: URL, _ metadata: [String: Any] = [:]) async -> HKError.Code?
    {
      await code {
        try await attachments.addAttachment(
          to: object, name: "a", contentType: .png, url: url, metadata: metadata)
      }
    }
    #expect(await add(sample, missing) == .errorInvalidArgument)
    #expect(await add(sample, huge) == .errorInvalidArgument)
    #expect(await add(beat(61), url) == .errorInvalidArgument)
    #expect(await add(sample, url, ["key": Data()]) == .errorInvalidArgument)
    #expect(try await attachments.attachments(for: sample).isEmpty)
  }

  @Test func `Another subject's store does not find an attachment`() async throws {
    let database = try HealthDatabase.inMemory()
    let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
    let sample = beat(60)
    try await ada.save(sample)
    let (url, _) = try file(10)
    let made = try await HKAttachmentStore(healthStore: ada).addAttachment(
      to: sample, name: "1", contentType: .png, url: url)
    let theirs = HKAttachmentStore(healthStore: bob)
    #expect(await code { try await theirs.attachments(for: sample) } == .errorInvalidArgument)
    #expect(await code { try await theirs.dataReader(for: made).data } == .errorInvalidArgument)
    #expect(
      await code { try await theirs.removeAttachment(made, from: sample) } == .errorInvalidArgument)
  }

  @Test func `A program that may not share an object's type neither adds nor removes attachments`()
    async throws
  {
    let database = try HealthDatabase.inMemory()
    let (mine, limited) = (database.store(), database.store())
    limited.authorization = AuthorizationPolicy()
    let sample = beat(60)
    try await mine.save(sample)
    let (url, _) = try file(10)
    let made = try await HKAttachmentStore(healthStore: mine).addAttachment(
      to: sample, name: "1", contentType: .png, url: url)
    let theirs = HKAttachmentStore(healthStore: limited)
    #expect(
      await code {
        try await theirs.addAttachment(to: sample, name: "2", contentType: .png, url: url)
      } == .errorAuthorizationNotDetermined)
    #expect(
      await code { try await theirs.removeAttachment(made, from: sample) }
        == .errorAuthorizationNotDetermined)
    #expect(
      try await HKAttachmentStore(healthStore: mine).attachments(for: sample) == [made])
  }

  @Test func `An archived attachment is the same attachment`() async throws {
    let (url, _) = try file(10)
    let made = try await attachments.addAttachment(
      to: try await saved(), name: "ü", contentType: UTType(exportedAs: "org.example.x"), url: url,
      metadata: ["page": 2])
    let data = try NSKeyedArchiver.archivedData(withRootObject: made, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKAttachment.self, from: data))
    #expect(read == made && read.name == "ü" && read.size == 10)
    #expect(read.contentType.identifier == "org.example.x")
    #expect(read.metadata?["page"] as? Int == 2)
    #expect(read.creationDate == made.creationDate)
  }
}

/// Pseudorandom bytes that depend only on the seed.
func noise(_ size: Int, seed: UInt64) -> Data {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return Data(
    (0..<size).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    })
}
