internal import SampleLog

/// Runs jobs one after another on threads of the pool, whose handlers may wait for anything.
///
/// Not a serial dispatch queue: those share 255 threads at most, and as many handlers that wait for
/// one another's queries would wait for ever.
final class SerialWork: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Locked(State())

  /// Runs a job after those before it.
  func async(_ job: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { BlockingExecutor.current.run { self.drain() } }
  }

  private func drain() {
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        state.isRunning = !state.jobs.isEmpty
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job() }
    }
  }
}
