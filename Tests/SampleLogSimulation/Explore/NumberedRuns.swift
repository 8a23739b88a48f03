internal import Dispatch
import SampleLog

/// A run of numbered simulations on several threads, which adds up their results.
///
/// Neither the number of threads nor their timing affects which failure is thrown: threads take the
/// numbers in order, and every simulation that was started runs to its end.
package final class NumberedRuns<Sum: Sendable, Failure: Error>: Sendable {
  private struct State: Sendable {
    var count: UInt64 = 0
    var sum: Sum
    var failure: (number: UInt64, error: Failure)?
  }

  private let threads: Int
  private let state: Locked<State>

  package init(threads: Int, sum: Sum) {
    self.threads = max(1, threads)
    state = Locked(State(sum: sum))
  }

  /// The number of simulations started, and the sum of the passed ones.
  package var done: (count: UInt64, sum: Sum) { state.withLock { ($0.count, $0.sum) } }

  /// Runs the simulations 0, 1, and so on, until one fails.
  ///
  /// - Parameters:
  ///   - isWanted: Whether another simulation is wanted, given the number started.
  ///   - body: Runs the simulation with a number and returns its contribution to the sum.
  /// - Throws: The error of the simulation with the lowest number that failed.
  package func run(
    while isWanted: @Sendable (UInt64) -> Bool,
    _ body: @Sendable (UInt64) throws(Failure) -> (inout Sum) -> Void
  ) throws(Failure) {
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while let number = take(isWanted) {
        do throws(Failure) {
          let add = try body(number)
          state.withLock { add(&$0.sum) }
        } catch {
          note(error, of: number)
        }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure.error }
  }

  private func take(_ isWanted: (UInt64) -> Bool) -> UInt64? {
    state.withLock { state in
      guard state.failure == nil, isWanted(state.count) else { return nil }
      state.count += 1
      return state.count - 1
    }
  }

  private func note(_ error: Failure, of number: UInt64) {
    state.withLock { state in
      if let first = state.failure, first.number < number { return }
      state.failure = (number, error)
    }
  }
}
