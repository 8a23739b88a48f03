import Foundation
import SampleLog
import Testing
import UniformTypeIdentifiers

@testable import HealthStore

/// The rows of attachments after a crash, damage and erasure.
@Suite struct AttachmentStorageTests {
  private let files = MemoryFileSystem()
  private let directory = StoreDirectory()

  private func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    return try Database(path: "/store", options: options, fileSystem: files)
  }

  private func file(_ size: Int) throws -> (url: URL, data: Data) {
    try FileManager.default.createDirectory(
      at: directory.url, withIntermediateDirectories: true)
    let url = directory.url.appendingPathComponent("content")
    var state: UInt64 = 88_172_645_463_325_252
    var data = Data()
    while data.count < size {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { data.append(contentsOf: $0) }
    }
    data = data.prefix(size)
    try data.write(to: url)
    return (url, data)
  }

  private func add(
    _ url: URL, to sample: HKSample, _ store: OpenStore, isCancelled: () -> Bool = { false }
  ) throws -> HKAttachment {
    try store.addAttachment(
      NewAttachment(name: "a", contentType: .data, url: url, metadata: [:]), to: sample,
      subject: "", policy: nil, isCancelled: isCancelled)
  }

  private func content(_ attachment: HKAttachment, _ store: OpenStore) throws -> Data {
    var reader = try AttachmentReader(attachment, StoreReader(store, subject: ""))
    var data = Data()
    while let piece = try reader.next() { data.append(contentsOf: piece) }
    return data
  }

  /// The number of content rows.
  private func chunkCount(_ database: Database) throws -> Int {
    let type = database.symbols.intern(
      ChildType.name(AttachmentChunk.childType, of: testHeartRate.identifier))
    return try database.snapshot().select([SeriesKey(subject: 0, type: type)]).count
  }

  @Test func `a cancelled addition leaves nothing behind`() throws {
    let database = try open(files)
    let store = OpenStore(database)
    let sample = try heartBeat(60)
    try store.save([sample], subject: "")
    let (url, _) = try file(3_000_000)
    var left = 2
    #expect(throws: CancellationError.self) {
      _ = try add(url, to: sample, store) {
        left -= 1
        return left < 0
      }
    }
    #expect(try chunkCount(database) == 0)
    #expect(try StoreReader(store, subject: "").attachments(for: sample).isEmpty)
  }

  @Test(arguments: [false, true])
  func `the next addition removes the remains of one interrupted by a crash`(
    isSealed: Bool
  ) throws {
    let sample = try heartBeat(60)
    let (url, data) = try file(3_000_000)
    var crashed: MemoryFileSystem?
    do {
      let store = OpenStore(try open(files))
      try store.save([sample], subject: "")
      var calls = 0
      _ = try add(url, to: sample, store) {
        calls += 1
        if calls == 3 { crashed = files.copy() }
        return false
      }
    }
    let database = try open(try #require(crashed))
    let store = OpenStore(database)
    if isSealed { try database.seal() }
    #expect(try chunkCount(database) == 2)
    #expect(try StoreReader(store, subject: "").attachments(for: sample).isEmpty)
    let again = try add(url, to: sample, store)
    try store.removeAttachment(
      try add(url, to: sample, store), from: sample, subject: "", policy: nil)
    #expect(try chunkCount(database) == 3)
    #expect(try content(again, store) == data)
  }

  @Test func `an attachment survives reopening, compaction and restoring`()
    throws
  {
    let sample = try heartBeat(60)
    let (url, data) = try file(2_200_000)
    let place = directory.url.appendingPathComponent("store")
    let backup = directory.url.appendingPathComponent("backup")
    let restored = directory.url.appendingPathComponent("restored")
    var store = OpenStore(try Database(path: place.path))
    try store.save([sample], subject: "")
    let made = try add(url, to: sample, store)
    try store.close()
    store = OpenStore(try Database(path: place.path))
    #expect(try content(made, store) == data)
    try store.database.compact()
    #expect(try content(made, store) == data)
    try store.database.backup(to: backup.path)
    try Database.restore(from: backup.path, to: restored.path)
    let copy = OpenStore(try Database(path: restored.path))
    #expect(try content(made, copy) == data)
    #expect(try StoreReader(copy, subject: "").attachments(for: sample) == [made])
    try copy.close()
    try store.close()
  }

  @Test(arguments: [false, true])
  func `deleting and compacting removes the content of an attachment from every file`(
    deletesObject: Bool
  ) throws {
    var options = Database.Options()
    options.sealsInBackground = false
    options.deletionRetention = .seconds(0)
    let place = directory.url.appendingPathComponent("store")
    let database = try Database(path: place.path, options: options)
    let store = OpenStore(database)
    let samples = [try heartBeat(60), try heartBeat(61)]
    try store.save(samples, subject: "")
    let (url, data) = try file(2_200_000)
    let made = try add(url, to: samples[0], store)
    try database.seal()
    #expect(try holds(data, in: place))
    let end = database.end
    if deletesObject {
      try store.delete([samples[0]], subject: "")
      // The sample, the attachment and three rows of content.
      #expect(database.end == end + 5)
    } else {
      try store.removeAttachment(made, from: samples[0], subject: "", policy: nil)
    }
    #expect(try chunkCount(database) == 0)
    try database.compact()
    #expect(try !holds(data, in: place))
    #expect(try StoreReader(store, subject: "").attachments(for: samples[1]).isEmpty)
  }

  /// Whether a file of the directory contains part of the content.
  private func holds(_ data: Data, in place: URL) throws -> Bool {
    let part = data[1_000_000..<1_000_032]
    return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
      .contains { try Data(contentsOf: $0).range(of: part) != nil }
  }

  @Test func `missing content is damage that names the file`() throws {
    let database = try open(files)
    let store = OpenStore(database)
    let sample = try heartBeat(60)
    try store.save([sample], subject: "")
    let (url, _) = try file(1_500_000)
    let made = try add(url, to: sample, store)
    var batch = Batch()
    batch.delete(AttachmentChunk.id(1, of: Identifier(made.identifier)))
    try database.commit(batch)
    #expect {
      _ = try content(made, store)
    } throws: { error in
      guard case StoreError.damaged(_, _, let reason) = error else { return false }
      return reason.contains("content that is missing")
    }
  }

  @Test func `concurrent additions do not remove each other's content`() throws {
    let database = try open(files)
    let store = OpenStore(database)
    let sample = try heartBeat(60)
    try store.save([sample], subject: "")
    let (url, data) = try file(2_500_000)
    var inner: HKAttachment?
    var calls = 0
    let outer = try add(url, to: sample, store) {
      calls += 1
      if calls == 2 {
        do {
          let made = try add(url, to: sample, store)
          try store.removeAttachment(made, from: sample, subject: "", policy: nil)
          inner = try add(url, to: sample, store)
        } catch { Issue.record(error) }
      }
      return false
    }
    #expect(try content(outer, store) == data)
    #expect(try content(try #require(inner), store) == data)
  }

  @Test func `payloads of attachments are read back and others are refused`() throws {
    let payload = AttachmentPayload(
      name: "a", contentType: .pdf, creationDate: testStart, size: 5, metadata: ["k": 1])
    let read = try #require(payload.encoded.withUnsafeBytes { AttachmentPayload($0) })
    #expect(read.encoded == payload.encoded && read.size == 5 && read.contentType == .pdf)
    for wrong: [UInt8] in [[], [2] + payload.encoded.dropFirst(), payload.encoded + [0]] {
      #expect(wrong.withUnsafeBytes { AttachmentPayload($0) } == nil)
    }
    let chunk = AttachmentChunk([7, 8])
    #expect(chunk.encoded.withUnsafeBytes { AttachmentChunk($0) }?.content == [7, 8])
    for wrong: [UInt8] in [[], [1], [2, 7], [1] + [UInt8](repeating: 0, count: (1 << 20) + 1)] {
      #expect(wrong.withUnsafeBytes { AttachmentChunk($0) } == nil)
    }
  }
}
