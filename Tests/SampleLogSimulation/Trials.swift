internal import Foundation

/// The extent of randomised tests.
///
/// `make test` takes minutes: it runs the first few of many random cases and omits large inputs.
/// `make prove` sets the environment variable `THOROUGH` and runs everything.
package enum Trials {
  package static let areThorough = ProcessInfo.processInfo.environment["THOROUGH"] != nil

  /// Returns the number of cases to try.
  package static func count(_ count: Int, quick: Int) -> Int { areThorough ? count : quick }

  /// Returns the cases to run: the first ones, or all in a thorough run.
  package static func first<Case>(_ quick: Int, of cases: [Case]) -> [Case] {
    areThorough ? cases : Array(cases.prefix(quick))
  }
}
