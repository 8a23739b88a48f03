import CoreLocation
import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Objects stored by earlier versions remain readable.
@Suite struct ObjectFormatTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/objects/v1")

  private static let answers = folder.appending(path: "answers.txt")

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["WRITE_FIXTURES"] != nil,
      "It writes into the source tree; make fixtures asks for it."))
  func `make fixtures writes objects of every family`() async throws {
    let url = Self.folder.appending(path: "store")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let store = try HKHealthStore(directory: url)
    try await ObjectFixtures.save(into: store)
    try await store.flush()
    _ = try await store.compact()
    try await store.save(try heartBeat(61, at: 30))
    try await store.close()
    try FileManager.default.removeItem(at: url.appending(path: "LOCK"))
    try await ObjectFixtures.answers(try HKHealthStore(directory: url, mode: .readOnly))
      .write(to: Self.answers, atomically: true, encoding: .utf8)
  }

  @Test func `stored objects of every family are read back unchanged`() async throws {
    let copy = StoreDirectory()
    try FileManager.default.copyItem(at: Self.folder.appending(path: "store"), to: copy.url)
    let expected = try String(contentsOf: Self.answers, encoding: .utf8)
    let kinds = Set(expected.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    #expect(kinds.count >= 20)
    let before = try HKHealthStore(directory: copy.url, mode: .readOnly)
    #expect(try await ObjectFixtures.answers(before) == expected)
    try await before.close()
    let store = try HKHealthStore(directory: copy.url)
    #expect(try await ObjectFixtures.answers(store) == expected)
    _ = try await store.compact()
    #expect(try await ObjectFixtures.answers(store) == expected)
    try await store.close()
  }
}
