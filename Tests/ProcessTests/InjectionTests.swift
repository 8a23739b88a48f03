import Foundation
import SampleLog
import Testing

@testable import SampleLogSimulation

/// The real program while the kernel refuses to do what it is asked.
@Suite struct InjectionTests {
  private static let strace = Programs.find("strace")
  private static let operations = 12
  /// How many places of each call to try; a soak tries all of them.
  private static let limit = Programs.number("INJECTIONS", default: Trials.count(6, quick: 3))

  /// Errors that disks and full disks give.
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
    // Spread evenly, the first and the last always among them.
    let step = max(1, (all.count - 1 + Self.limit - 1) / max(1, Self.limit))
    return all.isEmpty ? [] : Array(stride(from: all.lowerBound, to: all.upperBound, by: step))
  }

  /// Runs a writer under a fault, then another without, and checks the store after each.
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
    // A store that could not even be opened says so and is left as it was.
    if !mayDie { #expect(!first.wasKilled && (0...2).contains(first.status), name) }
    if let read = model.readCount {
      #expect(read == model.acknowledgedSamples, name)
    }
    model.beginRun()
    // What came of the unanswered is decided by what is there before anybody goes on.
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
  func `One refused call fails one save at most, and nothing acknowledged is lost`(
    injection: Injection
  ) throws {
    var faults = 0
    for number in try places(injection.call) {
      let failures = try run(injection, at: number, onwards: false).failures
      #expect(failures <= 1, "\(injection) at \(number)")
      faults += failures
      if injection.fault == "error=EINTR", ["pwrite64", "fallocate"].contains(injection.call) {
        #expect(failures == 0, "an interrupted call is no failure")
      }
    }
  }

  @Test(arguments: errors)
  func `A call that is refused from some moment on fails saves and loses nothing`(
    injection: Injection
  ) throws {
    // An endless interruption is no fault that a disk has.
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
  func `A process that dies at some call leaves everything acknowledged`(call: String) throws {
    let injection = Injection(call: call, fault: "signal=SIGKILL")
    for number in try places(call) {
      _ = try run(injection, at: number, onwards: false, mayDie: true)
    }
  }
}
