import Foundation
import SampleLog
import SampleLogSimulation

/// A run on some threads, and what came of it.
final class Run: Sendable {
  private struct State {
    var jobs: Jobs
    var counts = Counts()
    var failures: [String] = []
    /// Of all threads together, by kind of work.
    var seconds: [String: Double] = [:]
  }

  private let arguments: Arguments
  private let begin = Date()
  private let state: Locked<State>

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    state = Locked(State(jobs: try Jobs(arguments)))
  }

  func go() {
    DispatchQueue.concurrentPerform(iterations: arguments.threads) { _ in work() }
  }

  private func work() {
    while let job = take() {
      var explorer = Explorer()
      let start = Date()
      do {
        try job.run(&explorer)
      } catch let failure as SimulationFailure where failure.replay != nil {
        note("FAILED \(failure)")
      } catch let failure as SimulationFailure {
        // A fault's ordinal or a seed may be all that a smaller workload needs.
        note("FAILED \(failure)\n  smallest: \(Shrinker.shrink(failure))")
      } catch {
        note("FAILED \(job): \(error)")
      }
      let counts = explorer.counts
      let seconds = Date().timeIntervalSince(start)
      state.withLock { state in
        state.counts += counts
        state.seconds[job.kind, default: 0] += seconds
      }
    }
  }

  private func note(_ failure: String) {
    // At once, whatever becomes of the run.
    FileHandle.standardOutput.write(Data((failure + "\n").utf8))
    state.withLock { $0.failures.append(failure) }
  }

  private func take() -> Job? {
    let isTimeOver = Date().timeIntervalSince(begin) >= arguments.minutes * 60
    return state.withLock { state in
      if state.failures.count >= 5 { return nil }
      if let job = state.jobs.takeFixed() { return job }
      if arguments.isRotOnly { return nil }
      if isTimeOver, state.counts.distinct >= arguments.images { return nil }
      return state.jobs.takeRandom()
    }
  }

  /// Prints what was looked at; returns whether nothing was wrong.
  func report() -> Bool {
    let (counts, failures) = state.withLock { ($0.counts, $0.failures.count) }
    let seconds = Date().timeIntervalSince(begin)
    func line(_ name: String, _ number: Int) {
      print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + "\(number)")
    }
    line("workloads run", counts.workloads)
    line("errors injected", counts.errors)
    line("images made", counts.images)
    line("images opened (distinct)", counts.distinct)
    line("  of crashes while or after opening one", counts.recoveries[0])
    line("  and of crashes of those", counts.recoveries[1])
    line("images verified and read beside", counts.verified)
    line("anchors, queries and look-ups compared", counts.queries)
    line("workloads run twice, logs equal", counts.repeated)
    line("bits flipped", counts.flips)
    line("sectors zeroed, swapped, lost, files cut", counts.otherRot)
    line("images a second", Int(Double(counts.distinct) / seconds))
    line("seconds", Int(seconds))
    for (kind, time) in state.withLock({ $0.seconds }).sorted(by: { $0.key < $1.key }) {
      line("  of threads in \(kind)", Int(time))
    }
    print("digest \(String(counts.digest, radix: 16))")
    print(failures == 0 ? "simulation passed" : "simulation FAILED: \(failures) failures")
    return failures == 0
  }
}
