import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Every representation of an error is a readable message.
@Suite struct ErrorSentenceTests {
  private func expectSentence(
    _ error: any Error, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let texts = [error.localizedDescription, (error as NSError).localizedDescription, "\(error)"]
    for text in texts {
      #expect(text.hasSuffix(".") && text.count > 10, "\(text)", sourceLocation: sourceLocation)
      #expect(text == texts[0], sourceLocation: sourceLocation)
      for part in ["(null)", "Optional(", "Error Domain", "nil", "UserInfo", "\n"] {
        #expect(!text.contains(part), "\(text)", sourceLocation: sourceLocation)
      }
    }
    #expect(!"\(error as NSError)".contains("(null)"), sourceLocation: sourceLocation)
  }

  @Test func `each HKError code has a message`() {
    let codes = (0...15).compactMap { HKError.Code(rawValue: $0) }
    #expect(codes.count == 16)
    #expect(Set(codes.map(\.sentence)).count == 16)
    for code in codes {
      expectSentence(HKError(code))
      expectSentence(HKError(_nsError: NSError(domain: HKErrorDomain, code: code.rawValue)))
    }
    expectSentence(HKError(_nsError: NSError(domain: HKErrorDomain, code: 99)))
    #expect(HKError.make(.errorNoData, "It has none.").localizedDescription == "It has none.")
  }

  private static let storeErrors: [StoreError] = [
    .inputOutput(operation: "open", path: "/a", code: 13, message: "Permission denied"),
    .locked(path: "/a", holder: "process 5"), .damaged(file: "a.log", offset: 5, reason: "no"),
    .unsupportedVersion(file: "a.log", version: 9), .notAStore(path: "/a"),
    .isBackup(path: "/a"), .isUnfinished(path: "/a"), .notEmpty(path: "/a"),
    .notAFile(path: "/a"), .readOnly, .closed, .duplicate(Identifier(high: 1, low: 2)),
    .notFound(Identifier(high: 1, low: 2)), .invalid("It is wrong so."),
    .anchorExpired(anchor: 1, floor: 2), .anchorFromTheFuture(anchor: 3, end: 2),
    .anchorOfAnotherStore, .limitExceeded(.batchRecords, actual: 2, allowed: 1), .exhausted,
    .cancelled, .replaced(path: "/a"), .forked(path: "/a"),
    .replica(path: "/a", primary: "b"), .fenced(epoch: 7), .gap(end: 3, next: 9),
    .diverged(sequence: 4), .notHereYet(anchor: 9, end: 2),
  ]

  @Test(arguments: storeErrors)
  func `each error of the engine has a message, also as an HKError`(error: StoreError) {
    expectSentence(error)
    expectSentence(HKError.from(error))
    #expect((HKError.from(error) as? HKError)?.userInfo[NSUnderlyingErrorKey] is StoreError)
  }

  @Test func `an anchor that a replica has not reached is not an invalid argument`() {
    let behind = HKError.from(StoreError.notHereYet(anchor: 9, end: 2)) as? HKError
    #expect(behind?.code == .errorDatabaseInaccessible)
    let lost = HKError.from(StoreError.anchorFromTheFuture(anchor: 9, end: 2)) as? HKError
    #expect(lost?.code == .errorInvalidArgument)
  }

  @Test func `errors of other kinds have a message, also as an HKError`() {
    let errors: [any Error] = [
      HKInvalidSampleError.metadataNotFinite(key: "k"),
      HKInvalidSampleError.invalidSyncVersion("1"),
      HKInvalidSampleError.invalidBundleIdentifier("a\0b"),
      HKPredicateFormatError.tooDeep(allowed: 64),
      HKPredicateFormatError.tooMuchWork(pattern: "(a+)+b"), HKSortKeyError(key: "k"),
      HKStoreOptionsError(path: "/store", options: ["durability", "onEvent"]),
    ]
    for error in errors {
      expectSentence(error)
      expectSentence(HKError.from(error))
    }
    struct Odd: Error {}
    let odd = HKError.from(Odd())
    #expect(!odd.localizedDescription.contains("(null)"))
    #expect(odd.localizedDescription.contains("Odd"))
  }

  @Test(arguments: ["/dev/null/store", "/proc/store"])
  func `an error about a directory that cannot be made names it`(path: String) {
    do {
      _ = try HKHealthStore(directory: URL(fileURLWithPath: path))
      Issue.record("the store was made")
    } catch {
      expectSentence(error)
      #expect(error.localizedDescription.contains(path))
      #expect((error as? HKError)?.code == .errorDatabaseInaccessible)
    }
  }

  @Test func `backing up a store in memory throws and makes no files`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(heartBeat(60))
    let directory = StoreDirectory()
    do {
      _ = try await store.backup(to: directory.url)
      Issue.record("the store was backed up")
    } catch {
      expectSentence(error)
      #expect((error as? HKError)?.code == .errorInvalidArgument)
    }
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }
}
