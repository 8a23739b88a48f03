import SampleLog

/// An executor that runs tasks and functions one step at a time on the calling thread, in an order
/// determined by a seed.
///
/// Tasks with this executor preference, their child tasks and task groups, `Task.yield()` and
/// default actors run here. Work on other executors (dispatch, real clocks, actors with custom
/// executors) is not controlled.
package final class SeededExecutor: TaskExecutor {
  private enum Work: Sendable {
    case job(UnownedJob)
    case action(@Sendable () -> Void)
  }

  private struct State: Sendable {
    var waiting: [Work] = []
    var random: Seeded
    /// The random choices, which determine the schedule completely.
    var trace: [Int] = []
  }

  private let state: Locked<State>

  package init(seed: UInt64) { state = Locked(State(random: Seeded(seed))) }

  /// The schedule so far: for each step, the index of the job that was chosen.
  package var trace: [Int] { state.withLock { $0.trace } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.waiting.append(.job(job)) }
  }

  /// Schedules a function like a step of a task.
  package func perform(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(.action(action)) }
  }

  /// Runs steps until no work is pending.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of steps.
  ///   - willStep: Called before each step with its number, from 0.
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
