import Foundation
import SampleLog

extension HKError {
  /// The error of HealthKit's that an error on the way means; the cause is its underlying error.
  static func from(_ error: any Error) -> any Error {
    switch error {
    case let error as HKError: error
    case is CancellationError: error
    case let error as StoreError: make(code(of: error), error.description, underlying: error)
    case let error as HKInvalidSampleError:
      make(.errorInvalidArgument, error.description, underlying: error)
    case let error as HKPredicateFormatError:
      make(.errorInvalidArgument, error.description, underlying: error)
    case let error as HKSortKeyError:
      make(.errorInvalidArgument, error.description, underlying: error)
    default: make(.unknownError, sentence(of: error), underlying: error)
    }
  }

  /// What an error of somebody else's says, as a sentence.
  static func sentence(of error: any Error) -> String {
    let text = (error as NSError).localizedDescription
    return text.hasSuffix(".") || text.hasSuffix(".)") ? text : text + "."
  }

  /// Each case is named, so that a new one is given a code by whoever adds it.
  private static func code(of error: StoreError) -> Code {
    switch error {
    case .duplicate, .notFound, .invalid, .anchorExpired, .anchorFromTheFuture,
      .anchorOfAnotherStore, .limitExceeded:
      .errorInvalidArgument
    case .inputOutput, .locked, .damaged, .unsupportedVersion, .notAStore, .readOnly, .closed,
      .isBackup, .isUnfinished, .notEmpty, .notAFile, .exhausted, .replaced, .forked, .replica,
      .fenced, .gap, .diverged:
      .errorDatabaseInaccessible
    case .erased: .errorNoData
    case .cancelled: .errorUserCanceled
    }
  }
}
