import Foundation
import SampleLog
import Testing

@testable import SampleLogSimulation

/// A writer process whose system calls fail or kill it.
@Suite struct InjectionTests {
  private static let strace = Programs.find("strace")
  private static let operations = 12
  /// The number of ordinals to try for each call; a soak test tries all of them.
  private static let limit = Programs.number("INJECTIONS", default: Trials.count(6, quick: 3))

  /// Errors of failing and full disks.
  static let errors = [
    "fdatasync:error=EIO", "fdatasync:error=ENOSPC", "fdatasync:error=EINTR",
    "pwrite64:error=EIO", "pwrite64:error=ENOSPC", "pwrite64:error=EINTR",
    "fallocate:error=ENOSPC", "fallocate:error=EIO", "fallocate:error=EINTR",
    "fallocate:error=EOPNOTSUPP", "fsync:error=EIO", "fsync:error=EINTR",
    "rename:error=EIO", "rename:error=ENOSPC", "unlink:error=EIO", "ftruncate:error=EIO",
    "ftruncate:error=EINTR", "pread64:error=EIO", "pread64:error=EINTR", "openat:error=EMFILE",
    "openat:error=EINTR", "openat:error=ENOSPC",
  ].map(injection)

  private static func injection(_ text: String) -> Injection {
    let parts = text.split(separator: ":", maxSplits: 1)
    return Injection(call: String(parts[0]), fault: String(parts[1]))
  }

  private func places(_ call: String) throws -> [Int] {
    guard let strace = Self.strace else {
      print("injected faults skipped: there is no strace")
      return []
    }
    let all = try Calls.places(call, strace: strace, operations: Self.operations)
    // Ordinals at equal distances, including the first and the last.
    let step = max(1, (all.count - 1 + Self.limit - 1) / max(1, Self.limit))
    return all.isEmpty ? [] : Array(stride(from: all.lowerBound, to: all.upperBound, by: step))
  }

  /// Runs a writer under a fault, then one without, and checks the store after each.
  private func run(
    _ injection: Injection, at number: Int, onwards: Bool, mayDie: Bool = false
  ) throws -> (failures: Int, lines: [TortureLine]) {
    let strace = try #require(Self.strace)
    let folder = try Folder()
    let store = folder.path + "/store"
    var random = Seeded(mixing: UInt64(number))
    var model = TortureModel()
    let name: Comment = "\(injection) at \(number)\(onwards ? " and later" : "")"
    let first = try WriterRun(
      store, seed: 1, operations: Self.operations,
      under: (
        strace, injection.arguments(at: number, onwards: onwards, log: folder.path + "/log")
      ))
    for line in first.lines { model.note(line) }
    // A store that cannot be opened reports that and stays unchanged.
    if !mayDie { #expect(!first.wasKilled && (0...2).contains(first.status), name) }
    if let read = model.readCount {
      #expect(read == model.acknowledgedSamples, name)
    }
    model.beginRun()
    // The state on disk decides the unacknowledged commits before the next writer opens it.
    if let database = try? Database(path: store, mode: .readOnly) {
      #expect(try model.check(database, after: .process, &random) == [], name)
      #expect(try Verification(path: store).isGood, name)
    } else {
      #expect(model.doneCount == 0, name)
    }
    let second = try WriterRun(
      store, seed: 2, operations: 3, first: model.next)
    #expect(second.status == 0, name)
    for line in second.lines { model.note(line) }
    #expect(second.failures.isEmpty, name)
    let database = try Database(path: store)
    let problems = try model.check(database, after: .process, &random)
    #expect(problems.isEmpty, name)
    try database.close()
    #expect(try Verification(path: store).isGood, name)
    return (first.failures.count, first.lines)
  }

  @Test(arguments: errors)
  func `A single failed call fails at most one save and loses no acknowledged commit`(
    injection: Injection
  ) throws {
    var faults = 0
    for number in try places(injection.call) {
      let failures = try run(injection, at: number, onwards: false).failures
      #expect(failures <= 1, "\(injection) at \(number)")
      faults += failures
      if injection.fault == "error=EINTR", ["pwrite64", "fallocate"].contains(injection.call) {
        #expect(failures == 0, "an interrupted call is not a failure")
      }
    }
  }

  @Test(arguments: errors)
  func `A call that fails persistently fails saves and loses no acknowledged commit`(
    injection: Injection
  ) throws {
    // A disk does not interrupt calls for ever.
    guard injection.fault != "error=EINTR" else { return }
    for number in try places(injection.call) {
      _ = try run(injection, at: number, onwards: true)
    }
  }

  @Test(
    arguments: [
      "fdatasync", "pwrite64", "fallocate", "fsync", "rename", "unlink", "ftruncate", "openat",
      "pread64",
    ])
  func `A process that dies in a call loses no acknowledged commit`(call: String) throws {
    let injection = Injection(call: call, fault: "signal=SIGKILL")
    for number in try places(call) {
      _ = try run(injection, at: number, onwards: false, mayDie: true)
    }
  }
}
