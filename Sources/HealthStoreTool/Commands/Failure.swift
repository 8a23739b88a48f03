import AppleHealthExport
import Foundation
import HealthStore
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// An error as a sentence for the user and an exit status for scripts.
struct Failure: Error, Equatable {
  var sentence: String
  var status: ExitStatus

  init(_ sentence: String, status: ExitStatus) {
    self.sentence = sentence
    self.status = status
  }

  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as OutputError: self.init(error.sentence, status: .unwritable)
    case let error as UsageError: self.init(error.sentence, status: .unusable)
    case let error as StoreError: self.init(error.description, status: Self.status(error))
    case let error as HKError:
      // The engine's error is more specific than HealthKit's code.
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? StoreError
      self =
        cause.map { Failure($0) } ?? Failure(error.localizedDescription, status: .failed)
    // Only a predicate from the command line can fail during evaluation.
    case let error as HKPredicateFormatError: self.init(error.description, status: .unusable)
    case let error as ReplicationError: self.init(error.description, status: Self.status(error))
    case let error as NATSError: self.init(error.description, status: Self.status(error))
    case let error as ExportError: self.init(error.description, status: Self.status(error))
    default: self.init(error.localizedDescription, status: .failed)
    }
  }

  private static func status(_ error: StoreError) -> ExitStatus {
    switch error {
    case .notAStore, .locked, .unsupportedVersion, .isBackup, .isUnfinished, .notEmpty, .notAFile,
      .replica:
      .unusable
    case .damaged: .damaged
    case .notHereYet: .behind
    case .fenced: .fenced
    default: .failed
    }
  }

  private static func status(_ error: ReplicationError) -> ExitStatus {
    switch error {
    case .notReplicated: .unreachable
    case .notHereYet: .behind
    case .needsBackup: .needsBackup
    case .damagedCopy: .damaged
    case .noCopyOffered: .unreachable
    case .notInCopy: .unusable
    case .anotherStore, .gap, .notCopied, .behind, .unfinished, .copiesUnsupported: .failed
    }
  }

  private static func status(_ error: NATSError) -> ExitStatus {
    switch error {
    case .notBuilt, .unusableFile: .unusable
    case .unreachable: .unreachable
    case .noStream, .refused, .unauthorized, .untrusted: .failed
    }
  }

  private static func status(_ error: ExportError) -> ExitStatus {
    switch error {
    case .cannotOpen, .notAnExport, .noExportInside, .severalExports, .unzipMissing,
      .unsupportedVersion, .notEmpty:
      .unusable
    case .cannotWrite: .unwritable
    case .cannotRead, .limitExceeded, .cancelled: .failed
    // `unzip` exits with these for files that are damaged, truncated or not archives.
    case .unzipFailed(_, let status): [1, 2, 3, 9, 51].contains(status) ? .damaged : .failed
    }
  }
}
