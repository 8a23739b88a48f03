import Foundation
import SampleLog
import SampleLogSimulation

/// A run on several threads, and its results.
final class ImageRun: Sendable {
  private struct State {
    var jobs: Jobs
    var parts: [Job.Kind: Part] = [:]
    var failures = 0
    var nextNews: Double = 60
    var total: Counts { parts.values.reduce(into: Counts()) { $0 += $1.counts } }
  }

  /// The results of one kind of work, and its time summed over all threads, in seconds.
  private struct Part {
    var counts = Counts()
    var seconds = 0.0
  }

  private let plan: ImagePlan
  private let begin = Date()
  private let state: Locked<State>

  private static let greatestFailureCount = 5

  init(_ plan: ImagePlan) throws {
    self.plan = plan
    state = Locked(State(jobs: try Jobs(plan)))
  }

  func go() {
    DispatchQueue.concurrentPerform(iterations: plan.threads) { _ in work() }
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
        // A smaller workload may need only another ordinal of the fault or another seed.
        note("FAILED \(failure)\n  smallest: \(Shrinker.shrink(failure))")
      } catch {
        note("FAILED \(job): \(error)")
      }
      let counts = explorer.counts
      let seconds = Date().timeIntervalSince(start)
      state.withLock { state in
        state.parts[job.kind, default: Part()].counts += counts
        state.parts[job.kind, default: Part()].seconds += seconds
      }
    }
  }

  private func note(_ failure: String) {
    say(failure)
    state.withLock { $0.failures += 1 }
  }

  /// Prints a line without buffering, so that it is not lost if the run crashes.
  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private func take() -> Job? {
    let seconds = Date().timeIntervalSince(begin)
    return state.withLock { state in
      if state.failures >= Self.greatestFailureCount { return nil }
      if seconds >= state.nextNews {
        state.nextNews += 60
        say("\(Int(seconds / 60)) min: " + summary(state.total))
      }
      if let job = state.jobs.takeFixed() { return job }
      if plan.isRotOnly { return nil }
      let isTimeOver = seconds >= plan.minutes * 60
      if isTimeOver, state.total.distinct >= plan.images { return nil }
      return state.jobs.takeRandom()
    }
  }

  /// Prints the figures and returns whether the run found no failure.
  func report() -> Bool {
    let (parts, total, failures, next) = state.withLock {
      ($0.parts, $0.total, $0.failures, $0.jobs.random)
    }
    for kind in Job.Kind.allCases {
      guard let part = parts[kind] else { continue }
      let name = kind.rawValue.padding(toLength: 37, withPad: " ", startingAt: 0)
      say("\(name)\(figures(part.counts)); \(Int(part.seconds)) s")
    }
    let seconds = Date().timeIntervalSince(begin)
    say("total: " + summary(total) + "; \(Int(seconds)) s on \(plan.threads) threads")
    say("digest \(String(total.digest, radix: 16))")
    say(failures == 0 ? "simulation passed" : "simulation FAILED: \(failures) failures")
    if !plan.isRotOnly {
      let place = "--seed \(plan.seed) --first \(next)"
      say("go on with: swift run -c release Prove images --random \(place)")
    }
    return failures == 0
  }

  private func summary(_ total: Counts) -> String {
    """
    \(total.distinct) distinct crash images (\(total.images) made, \(total.opened) opened; \
    \(total.recoveries[0]) of crashes while or after opening one, \(total.recoveries[1]) of \
    crashes of those), \(total.verified) also verified and read beside, \(total.queries) anchors, \
    queries and look-ups compared, \(total.flips) bits flipped
    """
  }

  private func figures(_ counts: Counts) -> String {
    var parts: [String] = []
    func add(_ number: Int, _ what: String) {
      if number > 0 { parts.append("\(number) \(what)") }
    }
    add(counts.workloads, "workloads")
    add(counts.errors, "calls failed")
    add(counts.images, "images made")
    add(counts.distinct, "distinct")
    add(counts.repeated, "event for event the same")
    add(counts.flips, "flips answered exactly or named")
    add(counts.otherRot, "damages answered exactly or named")
    return parts.joined(separator: ", ")
  }
}
