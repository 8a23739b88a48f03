package import Foundation
internal import SampleLog

/// A run that starts writers, ends them at random times and checks their stores.
package struct TortureRun {
  /// A way to end a writer, including any effects on its disk.
  package struct Ending {
    package var kind: TortureModel.Ending
    /// A function that ends the writer, called once all acknowledgements so far have been recorded.
    ///
    /// Later ones do not count.
    package var strike: (TortureChild) throws -> Void

    package init(
      _ kind: TortureModel.Ending, strike: @escaping (TortureChild) throws -> Void
    ) {
      self.kind = kind
      self.strike = strike
    }

    /// SIGKILL.
    ///
    /// All output of the writer counts, including unread lines.
    package static var kill: Ending { Ending(.process) { $0.end() } }
  }

  package let store: String
  package let seed: UInt64
  package private(set) var round: UInt64 = 0
  package private(set) var model = TortureModel()
  /// The number of observations by concurrent readers.
  package private(set) var observations = 0
  package private(set) var sealings = 0
  package private(set) var compactions = 0
  private let executable: URL
  private let arguments: [String]
  private let ending: Ending
  private var random: Seeded
  /// The maximum time before a writer is ended, in milliseconds.
  package var longest = 1500.0
  package var buffers = false

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - store: The store's directory.
  ///   - seed: Determines the operations and their timing.
  ///   - executable: The writer program.
  ///   - arguments: Its arguments, followed by a ``TortureOrder`` and the directory.
  ///   - ending: The way to end it.
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

  /// Runs a writer for some time, ends it and checks its store.
  ///
  /// - Returns: Descriptions of the violations, or an empty array.
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
    // Logarithmic, so that the first milliseconds, when the store is opened, are hit as often as
    // the last second.
    let time = exp(Double.random(in: 0...log(longest), using: &random))
    let deadline = Date(timeIntervalSinceNow: time / 1000)
    var problems = try listen(to: child, until: deadline)
    try ending.strike(child)
    let counts = ending.kind == .process
    for line in child.remainingLines() { note(line, counts: counts) }
    // After a power cut a writer may exit in any way.
    if counts, child.process.terminationReason == .exit {
      problems.append("the writer exited with status \(child.process.terminationStatus)")
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
      // Sometimes a reader observes concurrently, either newly opened or kept from earlier.
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
      // The first writer did not create a store.
      return []
    }
    var problems: [String] = []
    let before = try Database(path: store, mode: .readOnly).end
    let database = try Database(path: store)
    if database.end != before {
      problems.append("a reader saw the end at \(before), a writer at \(database.end)")
    }
    problems += try model.check(database, after: ending.kind, &random)
    try database.close()
    let verification = try Verification(path: store)
    problems += verification.damages.map { "\($0.file): byte \($0.offset): \($0.reason)" }
    return problems
  }
}
