import Foundation
import SampleLog

// Converts the engine's errors to HealthKit's.
extension HKError {
  /// Returns the `HKError` for any error, with the original as its underlying error.
  ///
  /// An `HKError` or a `CancellationError` is returned unchanged.
  static func from(_ error: any Error) -> any Error {
    switch error {
    case let error as HKError: error
    case is CancellationError: error
    case let error as StoreError: make(code(of: error), error.description, underlying: error)
    case let error as any ArgumentError:
      make(.errorInvalidArgument, error.description, underlying: error)
    default: make(.unknownError, sentence(of: error), underlying: error)
    }
  }

  /// Returns the description of a foreign error as a sentence that ends in a period.
  static func sentence(of error: any Error) -> String {
    let text = (error as NSError).localizedDescription
    return text.hasSuffix(".") || text.hasSuffix(".)") ? text : text + "."
  }

  /// Returns the code for an error of the engine.
  ///
  /// The switch is exhaustive, so that each new case requires a code.
  private static func code(of error: StoreError) -> Code {
    switch error {
    case .duplicate, .notFound, .invalid, .anchorExpired, .anchorFromTheFuture,
      .anchorOfAnotherStore, .limitExceeded:
      .errorInvalidArgument
    case .inputOutput, .locked, .damaged, .unsupportedVersion, .notAStore, .readOnly, .closed,
      .isBackup, .isUnfinished, .notEmpty, .notAFile, .exhausted, .replaced, .forked, .replica,
      .fenced, .gap, .diverged, .notHereYet:
      .errorDatabaseInaccessible
    case .erased: .errorNoData
    case .cancelled: .errorUserCanceled
    }
  }
}
