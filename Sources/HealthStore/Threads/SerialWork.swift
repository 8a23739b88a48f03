internal import SampleLog

/// Runs jobs one at a time on threads of the worker pool.
///
/// Handlers may block.
///
/// Not a serial dispatch queue: those share at most 255 threads, so that many handlers waiting for
/// each other's queries would deadlock.
final class SerialWork: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Locked(State())

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
