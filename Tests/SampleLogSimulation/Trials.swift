internal import Foundation

/// How much tests try.
///
/// `make test` answers within minutes: of many random cases it tries the first few, and it leaves
/// out large inputs. `make prove` sets the environment variable `THOROUGH` and tries everything.
package enum Trials {
  package static let areThorough = ProcessInfo.processInfo.environment["THOROUGH"] != nil

  /// Returns the number of cases to try.
  package static func count(_ count: Int, quick: Int) -> Int { areThorough ? count : quick }

  /// Returns the cases to try, the first ones unless all are.
  package static func first<Case>(_ quick: Int, of cases: [Case]) -> [Case] {
    areThorough ? cases : Array(cases.prefix(quick))
  }
}
