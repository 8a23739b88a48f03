import CAllocations
import Foundation
import HealthStore

/// Measures HealthKit's calls for many people, from one task and from many, on a quiet store and
/// beside a saver, and the same queries of SQLite on the calling thread and behind a serial queue.
package struct CallLoad {
  private let plan: PeerSession.Plan
  private let count: Int

  /// Prepares to make a number of calls of each kind.
  package init(_ plan: PeerSession.Plan, count: Int = 2_000) {
    self.plan = plan
    self.count = count
  }

  private struct Contender {
    var name: String
    var store: any CallStore
  }

  package func measure() throws -> [Measurement] {
    try plan.subjectCounts.flatMap { try measure(subjects: $0) }
  }

  private func measure(subjects: Int) throws -> [Measurement] {
    let base = "\(plan.directory)/healthstore-benchmark-calls"
    defer { try? FileManager.default.removeItem(atPath: base) }
    func directory(_ name: String, _ fill: (String, Int) throws -> Void) throws -> String {
      let path = base + "/" + name
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try fill(path, subjects)
      return path
    }
    let own = try directory("own", CallSubjects.fill)
    let foreign = try directory("foreign", CallSubjects.fillForeign)
    let sqlite = try directory("sqlite", SQLiteCalls.fill)
    let ours = [
      Contender(name: "", store: try HealthStoreCalls(own, subjects: subjects)),
      Contender(
        name: "foreign identifiers", store: try HealthStoreCalls(foreign, subjects: subjects)),
    ]
    let others = [
      Contender(name: "SQLite", store: try SQLiteCalls(sqlite, isQueued: false)),
      Contender(name: "SQLite behind a queue", store: try SQLiteCalls(sqlite, isQueued: true)),
    ]
    try check(ours + others, subjects)
    let title = subjects == 1 ? "one person" : "\(subjects) people"
    var results: [Measurement] = []
    for call in Call.allCases {
      results += try quiet(call, ours + others, subjects, title)
      results.append(try allocations(call, ours[0], subjects))
    }
    for call in Call.allCases where call != .save {
      results += try besideSaver(call, ours + others, subjects, title)
    }
    for case let store as HealthStoreCalls in ours.map(\.store) { try store.database.close() }
    return results
  }

  /// Throws unless all stores answer the same.
  private func check(_ contenders: [Contender], _ subjects: Int) throws {
    for call in Call.allCases where call != .save {
      for subject in Set([0, subjects / 2, subjects - 1]) {
        let answers = try contenders.map { contender in
          let store = contender.store
          return try blocking { try await store.client().make(call, for: subject) }
        }
        guard answers.allSatisfy({ $0 == answers[0] }) else {
          throw BenchmarkError.failed("\(call.rawValue) of \(subject) is answered with \(answers).")
        }
      }
    }
  }

  private func quiet(
    _ call: Call, _ contenders: [Contender], _ subjects: Int, _ title: String
  ) throws -> [Measurement] {
    try plan.tasks.flatMap { tasks in
      try rows("\(call.title), \(title), \(Self.number(tasks))", contenders) { contender in
        try rounds(contender, subjects).measure(call, tasks: tasks)
      }
    }
  }

  private func besideSaver(
    _ call: Call, _ contenders: [Contender], _ subjects: Int, _ title: String
  ) throws -> [Measurement] {
    try plan.tasks.flatMap { tasks in
      try rows("\(call.title), \(title), \(Self.number(tasks)), a saver", contenders) { contender in
        let rounds = rounds(contender, subjects)
        return try rounds.besideSaver { try rounds.measure(call, tasks: tasks) }.0
      }
    }
  }

  private func rounds(_ contender: Contender, _ subjects: Int) -> CallRounds {
    CallRounds(store: contender.store, subjects: subjects, count: count)
  }

  /// Measures each store in each repetition, one right after the other.
  private func rows(
    _ title: String, _ contenders: [Contender], _ measure: (Contender) throws -> CallTimes
  ) throws -> [Measurement] {
    var times = [[CallTimes]](repeating: [], count: contenders.count)
    for _ in 0..<plan.repetitions {
      for (position, contender) in contenders.enumerated() {
        times[position].append(try measure(contender))
      }
    }
    return zip(contenders, times).flatMap { contender, times in
      let name = contender.name.isEmpty ? title : "… \(contender.name)"
      return [
        Measurement("\(name), p50", "µs", .less, times.map { $0.latencies.percentile(0.5) }),
        Measurement("… p99", "µs", .less, times.map { $0.latencies.percentile(0.99) }),
        Measurement("… all tasks", "calls/s", .more, times.map(\.rate)),
      ]
    }
  }

  private func allocations(
    _ call: Call, _ contender: Contender, _ subjects: Int
  ) throws -> Measurement {
    let store = contender.store
    let count = 200
    let found = try blocking {
      let client = try store.client()
      for subject in 0..<3 { _ = try await client.make(call, for: subject % subjects) }
      allocations_begin()
      let before = allocations_count()
      for number in 0..<count { _ = try await client.make(call, for: number % subjects) }
      defer { allocations_end() }
      return allocations_count() - before
    }
    return Measurement("… allocations a call", "", .less, [Double(found) / Double(count)])
  }

  private static func number(_ tasks: Int) -> String { tasks == 1 ? "1 task" : "\(tasks) tasks" }
}
