import Foundation
import SampleLog
import Testing
import UniformTypeIdentifiers

@testable import HealthStore

/// Attachments stored by earlier versions remain readable.
@Suite struct AttachmentFormatTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/attachments/v1")

  /// Content of more than a mebibyte, which takes two rows.
  private static var content: Data { Data((0..<1_100_000).map { UInt8($0 % 251) }) }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["WRITE_FIXTURES"] != nil,
      "It writes into the source tree; make fixtures asks for it."))
  func `make fixtures writes attachments`() async throws {
    try? FileManager.default.removeItem(at: Self.folder)
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    let file = Self.folder.appending(path: "content")
    try Self.content.write(to: file)
    let store = try HKHealthStore(directory: Self.folder)
    let sample = try heartBeat(60)
    try await store.save(sample)
    let attachments = HKAttachmentStore(healthStore: store)
    for name in ["sealed", "logged"] {
      _ = try await attachments.addAttachment(
        to: sample, name: name, contentType: .pdf, url: file, metadata: ["page": 2])
      if name == "sealed" { _ = try await store.compact() }
    }
    try await store.close()
    try FileManager.default.removeItem(at: file)
    try FileManager.default.removeItem(at: Self.folder.appending(path: "LOCK"))
  }

  @Test func `stored attachments of earlier versions are read back unchanged`() async throws {
    let copy = StoreDirectory()
    try FileManager.default.copyItem(at: Self.folder, to: copy.url)
    let store = try HKHealthStore(directory: copy.url)
    let sample = try #require(try await store.read(.quantitySample(type: testHeartRate)).first)
    let attachments = HKAttachmentStore(healthStore: store)
    for _ in 0..<2 {
      let found = try await attachments.attachments(for: sample)
      #expect(found.map(\.name) == ["sealed", "logged"])
      for one in found {
        #expect(one.contentType == .pdf && one.size == Self.content.count)
        #expect(one.metadata?["page"] as? Int == 2)
        #expect(try await attachments.dataReader(for: one).data == Self.content)
      }
      _ = try await store.compact()
    }
    try await store.close()
  }
}
