import SampleLog

/// Runs tasks and plain work one step at a time on the thread that asks, in an order that a seed
/// decides.
///
/// Tasks that prefer it, their child tasks and task groups, `Task.yield()` and default actors all
/// take their steps here. Whatever leaves it (dispatch, real clocks, actors with executors of
/// their own) is not seen.
package final class SeededExecutor: TaskExecutor {
  private enum Work: Sendable {
    case job(UnownedJob)
    case action(@Sendable () -> Void)
  }

  private struct State: Sendable {
    var waiting: [Work] = []
    var random: Seeded
    /// The numbers drawn, which are the whole of what was decided.
    var trace: [Int] = []
  }

  private let state: Locked<State>

  package init(seed: UInt64) { state = Locked(State(random: Seeded(seed))) }

  /// What was decided so far: for each step which of those waiting went on.
  package var trace: [Int] { state.withLock { $0.trace } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.waiting.append(.job(job)) }
  }

  /// Lets a function wait for its turn like the steps of tasks.
  package func perform(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(.action(action)) }
  }

  /// Takes steps until nobody waits for one.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of steps to take.
  ///   - willStep: Called before each step with its number, from 0 on.
  /// - Returns: The number of steps taken.
  @discardableResult
  package func run(limit: Int = .max, willStep: (Int) -> Void = { _ in }) -> Int {
    var steps = 0
    while steps < limit {
      if state.withLock({ $0.waiting.isEmpty }) { break }
      willStep(steps)
      let next = state.withLock { state -> Work in
        let position = state.random.drawn(below: state.waiting.count)
        state.trace.append(position)
        return state.waiting.remove(at: position)
      }
      switch next {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .action(let action): action()
      }
      steps += 1
    }
    return steps
  }
}
