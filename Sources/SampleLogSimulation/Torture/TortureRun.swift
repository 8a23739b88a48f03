package import Foundation
internal import SampleLog

/// Starts writers, ends them at random moments and checks what they leave.
package struct TortureRun {
  /// Ends a writer, and whatever else is to happen to its disk.
  package struct Ending {
    package var kind: TortureModel.Ending
    /// Runs once every acknowledgement given so far has been noted; none given later counts.
    package var strike: (TortureChild) throws -> Void

    package init(
      _ kind: TortureModel.Ending, strike: @escaping (TortureChild) throws -> Void
    ) {
      self.kind = kind
      self.strike = strike
    }

    /// SIGKILL: what the writer said before it died counts, read or not.
    package static var kill: Ending { Ending(.process) { $0.end() } }
  }

  package let store: String
  package let seed: UInt64
  package private(set) var round: UInt64 = 0
  package private(set) var model = TortureModel()
  /// Openings beside the writer, and what they found to be whole.
  package private(set) var observations = 0
  package private(set) var sealings = 0
  package private(set) var compactions = 0
  private let executable: URL
  private let arguments: [String]
  private let ending: Ending
  private var random: Seeded
  /// The longest that a writer is left alone, in milliseconds.
  package var longest = 1500.0
  package var buffers = false

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - store: The store's directory.
  ///   - seed: Decides what is done and when.
  ///   - executable: The program that writes.
  ///   - arguments: Its arguments, which are followed by a ``TortureOrder`` and the directory.
  ///   - ending: How it ends.
  package init(
    _ store: String, seed: UInt64, executable: URL, arguments: [String], ending: Ending = .kill
  ) {
    self.store = store
    self.seed = seed
    self.executable = executable
    self.arguments = arguments
    self.ending = ending
    random = Seeded(mixing: seed)
  }

  /// Lets a writer work for a while, ends it and checks what it left.
  ///
  /// - Returns: Sentences about what must not be; none when all is well.
  package mutating func next() throws -> [String] {
    round += 1
    model.beginRun()
    var order = TortureOrder()
    order.seed = seed
    order.run = round
    order.first = model.next
    order.threads = Int.random(in: 1...4, using: &random)
    order.buffers = buffers
    order.largest = random.once(in: 3) ? 500 : 40
    let child = try TortureChild(executable, arguments + [order.text, store])
    // As often in the first milliseconds, where the store is opened, as in the last second.
    let time = exp(Double.random(in: 0...log(longest), using: &random))
    let deadline = Date(timeIntervalSinceNow: time / 1000)
    var problems = try listen(to: child, until: deadline)
    try ending.strike(child)
    let counts = ending.kind == .process
    for line in child.remainingLines() { note(line, counts: counts) }
    // Without power a writer may end as it likes.
    if counts, child.process.terminationReason == .exit {
      problems.append("the writer ended by itself, with status \(child.process.terminationStatus)")
    }
    problems += model.failures
    return problems + (try check())
  }

  private mutating func listen(to child: TortureChild, until deadline: Date) throws -> [String] {
    var problems: [String] = []
    var observer: Database?
    while true {
      let left = deadline.timeIntervalSinceNow * 1000
      guard let lines = child.lines(waiting: max(0, min(20, Int(left)))) else { break }
      for line in lines { note(line) }
      if left <= 0 { break }
      // Now and then somebody reads beside the writer, newly opened or for a while already.
      guard model.acknowledged > 0, random.once(in: 4) else { continue }
      let reader = try observer ?? Database(path: store, mode: .readOnly)
      try reader.refresh()
      problems += try model.observe(reader)
      observations += 1
      observer = random.once(in: 8) ? nil : reader
    }
    return problems
  }

  private mutating func note(_ text: String, counts: Bool = true) {
    guard let line = TortureLine(text) else {
      if counts { model.note(.note("a line failed to be understood: \(text)")) }
      return
    }
    model.note(line, counts: counts)
    if case .note("sealing") = line { sealings += 1 }
    if case .note("compaction") = line { compactions += 1 }
  }

  private mutating func check() throws -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: store)
    if names?.contains(where: { $0.hasSuffix(".log") }) != true, model.acknowledged == 0 {
      // The very first writer did not come to make anything.
      return []
    }
    var problems: [String] = []
    let before = try Database(path: store, mode: .readOnly).end
    let database = try Database(path: store)
    if database.end != before {
      problems.append("a reader found the end at \(before), a writer at \(database.end)")
    }
    problems += try model.check(database, after: ending.kind, &random)
    try database.close()
    let verification = try Verification(path: store)
    problems += verification.damages.map { "\($0.file): byte \($0.offset): \($0.reason)" }
    return problems
  }
}
