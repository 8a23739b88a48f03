import AppleHealthExport
import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication
import Testing

@testable import HealthStoreTool

@Suite struct OpeningTests {
  private struct Trouble: Error {}

  @Test func `A read is retried only while files are being replaced`() throws {
    let folder = try TestFolder()
    var attempts = 0
    let result = try StoreOpening.steadily(folder.path) {
      attempts += 1
      if attempts < 4 {
        // As a writer does when it begins a new log.
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

  @Test func `Only logs and segments count as replaced`() throws {
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

  /// A file system on which the user has no permission.
  private struct Forbidden: FileSystem {
    let code: Int32

    private func refuse(_ path: String) -> StoreError {
      .inputOutput(operation: "list", path: path, code: code, message: "refused")
    }

    func createDirectory(_ path: String) throws { throw refuse(path) }
    func list(_ path: String) throws -> [String]? { throw refuse(path) }
    func open(_ path: String, _ access: FileAccess) throws -> any File { throw refuse(path) }
    func rename(_ path: String, to newPath: String) throws { throw refuse(path) }
    func remove(_ path: String) throws { throw refuse(path) }
    func syncDirectory(_ path: String) throws { throw refuse(path) }
    func lock(_ path: String) throws -> any FileLock { throw refuse(path) }
  }

  @Test func `A store without read permission is not reported as missing`() throws {
    for code in [EACCES, EPERM] {
      let failure = try #require(throws: Failure.self) {
        try StoreOpening.requireStore("/data/store", Forbidden(code: code))
      }
      #expect(failure.status == .unusable)
      #expect(failure.sentence.contains("may not use /data/store"))
      #expect(!failure.sentence.contains("import"))
    }
    let failure = try #require(throws: Failure.self) {
      try StoreOpening.requireStore("/data/store", Forbidden(code: ENOTDIR))
    }
    #expect(failure.sentence.contains("/data/store is no directory"))
  }

  @Test func `An error about the lock names the store and not a file`() {
    let failure = #expect(throws: Failure.self) {
      try StoreOpening.using("/data/store") {
        throw StoreError.locked(path: "/data/store/LOCK", holder: "process 7")
      }
    }
    #expect(failure?.sentence.contains("The store at /data/store is open for writing") == true)
  }

  @Test func `Each error has the documented status`() {
    #expect(Failure(StoreError.notAStore(path: "x")).status == .unusable)
    #expect(Failure(StoreError.locked(path: "x", holder: "y")).status == .unusable)
    #expect(Failure(StoreError.damaged(file: "x", offset: 1, reason: "y")).status == .damaged)
    #expect(Failure(OutputError(code: 28)).status == .unwritable)
    #expect(Failure(ExportError.unzipFailed(path: "x", status: 2)).status == .damaged)
    #expect(Failure(ExportError.unzipFailed(path: "x", status: 82)).status == .failed)
    #expect(Failure(StoreError.anchorExpired(anchor: 1, floor: 2)).status == .failed)
    #expect(Failure(StoreError.fenced(epoch: 2)).status == .fenced)
    #expect(Failure(ReplicationError.needsBackup(end: 1)).status == .needsBackup)
    #expect(Failure(ReplicationError.notReplicated(through: 1)).status == .unreachable)
    #expect(
      Failure(ReplicationError.notCopied(through: 1, copies: 0, wanted: 1)).status == .failed)
    #expect(Failure(NATSError.unreachable(server: "x", reason: "y")).status == .unreachable)
    let absent = Failure(NATSError.noStream(name: "HS_1", server: "x"))
    #expect(absent.status == .failed)
    #expect(absent.sentence.contains("do not have the stream HS_1"))
    #expect(Failure(UsageError("x")).status == .unusable)
    #expect(Failure(Trouble()).status == .failed)
  }
}
