import Foundation
import SampleLog
import Testing

@testable import HealthStoreTool

@Suite struct OpeningTests {
  private struct Trouble: Error {}

  @Test("Reading is tried again while the files are being replaced, and not otherwise")
  func steadily() throws {
    let folder = try TestFolder()
    var attempts = 0
    let result = try StoreOpening.steadily(folder.path) {
      attempts += 1
      if attempts < 4 {
        // As a writer does that begins a new log.
        try folder.write(FileNames.log(first: UInt64(attempts)), "")
        throw Trouble()
      }
      return attempts
    }
    #expect(result == 4)
    var failures = 0
    #expect(throws: Trouble.self) {
      try StoreOpening.steadily(folder.path) {
        failures += 1
        throw Trouble()
      }
    }
    #expect(failures == 1)
  }

  @Test("Other files than logs and segments do not count as replaced")
  func otherFiles() throws {
    let folder = try TestFolder()
    var attempts = 0
    #expect(throws: Trouble.self) {
      try StoreOpening.steadily(folder.path) {
        attempts += 1
        try folder.write("x\(attempts).tmp", "")
        throw Trouble()
      }
    }
    #expect(attempts == 1)
  }

  @Test("Each error has the status that the help promises")
  func statuses() {
    #expect(Failure(StoreError.notAStore(path: "x")).status == .unusable)
    #expect(Failure(StoreError.locked(path: "x", holder: "y")).status == .unusable)
    #expect(Failure(StoreError.damaged(file: "x", offset: 1, reason: "y")).status == .failed)
    #expect(Failure(StoreError.anchorExpired(anchor: 1, floor: 2)).status == .failed)
    #expect(Failure(UsageError("x")).status == .unusable)
    #expect(Failure(Trouble()).status == .failed)
  }
}
