import SampleLog

/// One run of a workload: a store on a simulated disk, and its expected contents at each moment.
package final class Execution {
  /// The possible contents of the store if it crashes during or after one step.
  struct Mark {
    var step: Int
    /// The operations that the step performed.
    var operations: Range<Int>
    /// The possible contents while the step is in progress.
    var during: [Reference]
    /// The possible contents after the step.
    var after: [Reference]
  }

  /// A disk and its marks, up to a power cut or the end of the run.
  struct Life {
    var disk: SimulatedDisk
    var marks: [Mark] = []
  }

  let workload: Workload
  private(set) var lives: [Life] = []
  private(set) var queries = 0
  private(set) var digest: UInt64 = 0
  package private(set) var log: [String] = []
  /// The first step that encountered a fault.
  private(set) var firstFailedStep: Int?

  var disk: SimulatedDisk { lives[lives.count - 1].disk }
  private(set) var process: SimulatedProcess
  private(set) var database: Database?
  /// The identifier stream of the process.
  private(set) var stream = IdentifierStream(high: 0, key: Identifier(high: 0, low: 0))
  /// The visible contents.
  var reference = Reference()
  /// The visible contents at each commit since the last durable one, which comes first.
  var unsynced: [Reference] = []
  /// The contents that a crash may restore after failed commits, while their log has no successor.
  private var undecided: [Reference] = []
  private var random: Seeded
  let clock = Clock()
  private let salts: SaltSource
  private var step = 0
  private var failuresBefore = 0
  /// Whether buffered commits could not be made durable, so that the store refuses further commits.
  private var mayRefuse = false
  private let keepsLog: Bool
  private let isFull: Bool

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - workload: The workload to run.
  ///   - keepsLog: Whether to keep a log of all events.
  ///   - isFull: Whether to compare everything after each step, or only the feed.
  package init(_ workload: Workload, keepsLog: Bool = false, isFull: Bool = true) {
    self.workload = workload
    self.keepsLog = keepsLog
    self.isFull = isFull
    random = Seeded(workload.seed)
    salts = SaltSource(workload.seed)
    let disk = SimulatedDisk(isRecording: true)
    disk.faults = workload.faults
    disk.bug = workload.bug
    disk.random = Seeded(workload.seed ^ 0xD15C)
    lives = [Life(disk: disk)]
    process = disk.process()
  }

  deinit { process.kill() }

  /// Returns the options for opening a store of the workload.
  ///
  /// Only the execution itself merges.
  static func options(
    _ workload: Workload, _ clock: Clock, _ salts: SaltSource, isMerging: Bool = false
  ) -> Database.Options {
    var options = Database.Options()
    options.sealsInBackground = isMerging
    options.expiryBatchCount = expiryBatchCount
    if workload.segmentRows > 0 { options.segmentRowCount = workload.segmentRows }
    options.zeroByteCount = 768
    options.deletionRetention = .seconds(Double(workload.retention))
    if workload.sealRows > 0, !workload.isMerging { options.sealRowCount = workload.sealRows }
    options.clock = { clock.now }
    options.random = { salts.next() }
    return options
  }

  func fail(_ message: String) -> SimulationFailure {
    SimulationFailure(
      workload: workload, message: "step \(step + 1) (\(stepName)): \(message)")
  }

  private var stepName: String {
    step < workload.steps.count ? workload.steps[step].description : "end"
  }

  /// Runs all steps, comparing the open store with the reference after each.
  package func run() throws {
    try mark { try open() }
    for (number, step) in workload.steps.enumerated() {
      self.step = number
      clock.now += 1
      try perform(step)
      if step != .wait { try compareLive() }
    }
    step = workload.steps.count
  }

  private func compareLive() throws {
    guard let database else { return }
    var comparison = Comparison(
      database, salt: workload.seed &+ UInt64(step), subjects: workload.subjects)
    let difference = try disk.unobserved {
      do { try database.checkInvariants() } catch let broken as BrokenInvariant {
        throw fail("an invariant is broken: \(broken)")
      }
      return try comparison.difference(reference, isFull: isFull)
    }
    if let difference {
      throw fail("the open store differs: \(difference)")
    }
    queries += comparison.queries
  }

  // MARK: Marks

  private var candidates: [Reference] {
    unsynced + [reference] + undecided
  }

  /// Runs a step and records its operations and the possible contents.
  private func mark(_ body: () throws -> [Reference]?) throws {
    let life = lives.count - 1
    let begin = disk.record.count
    let before = candidates
    failuresBefore = disk.failureCount
    let during = try body()
    guard life == lives.count - 1 else { return }
    let hasFailed = disk.failureCount > failuresBefore
    if hasFailed, firstFailedStep == nil { firstFailedStep = step }
    lives[life].marks.append(
      Mark(
        step: step, operations: begin..<disk.record.count, during: before + (during ?? []),
        after: candidates))
    note(begin)
  }

  private func note(_ begin: Int) {
    for operation in disk.record[begin...] { digest = mixed(digest ^ operation.digest) }
    digest = mixed(digest ^ reference.end)
    if keepsLog {
      log.append("\(stepName): end \(reference.end), live \(reference.alive.count)")
      for operation in disk.record[begin...] {
        log.append("  \(operation.name) \(String(operation.digest, radix: 16))")
      }
    }
  }

  /// Returns whether an error was injected by the disk.
  private func isExpected(_ error: any Error) -> Bool {
    guard case StoreError.inputOutput = error else { return false }
    if disk.failureCount > failuresBefore, !unsynced.isEmpty { mayRefuse = true }
    return disk.failureCount > failuresBefore || mayRefuse
  }

  // MARK: Steps

  private func perform(_ step: Step) throws {
    switch step {
    case .save, .saveBuffered, .saveVersion, .saveParent, .addChild, .deleteOldest, .deleteNewest,
      .exchange, .erase:
      try mark { try commit(edit(step), isBuffered: isBuffered(step)) }
    case .acknowledge:
      var edit = Edit(time: clock.now)
      edit.acknowledgement = ("w", reference.end)
      try mark { try commit(edit, isBuffered: false) }
    case .removeAcknowledgement:
      guard reference.acknowledgements["w"] != nil else { return }
      var edit = Edit(time: clock.now)
      edit.acknowledgement = ("w", nil)
      try mark { try commit(edit, isBuffered: false) }
    case .flush: try mark { try attempt { try database?.flush() } }
    case .seal: try mark { try seal() }
    case .compact: try mark { try compact { try $0.compact() } }
    case .compactConcurrently: try mark { try compactConcurrently() }
    case .expire: try mark { try expire() }
    case .reopen: try mark { try reopen() }
    case .kill:
      try mark {
        process.kill()
        return try open()
      }
    case .powerCut: try powerCut()
    case .wait: clock.now += 10
    }
  }

  private func isBuffered(_ step: Step) -> Bool {
    if case .saveBuffered = step { return true }
    return false
  }

  func commit(_ edit: Edit, isBuffered: Bool) throws -> [Reference] {
    guard let database, edit.count > 0 else { return [] }
    var next = reference
    let begin = disk.record.count
    do {
      let sequences = try database.perform(edit, isBuffered: isBuffered)
      guard let first = sequences?.lowerBound, reference.nexts.contains(first),
        sequences?.count == edit.count
      else { throw fail("the commit took \(String(describing: sequences))") }
      next.apply(edit, first: first)
    } catch {
      guard isExpected(error) else { throw error is SimulationFailure ? error : fail("\(error)") }
      let torn = reference.nexts.map { first in
        var torn = reference
        torn.apply(edit, first: first)
        torn.nexts += reference.nexts
        torn.nexts.sort()
        return torn
      }
      reference.fail(edit)
      if disk.record[begin...].hasSuccessor {
        // A new log is created only once the preceding log is durable.
        unsynced = []
        undecided = []
      } else if !disk.record[begin...].isTakenBack {
        undecided += torn
      }
      return torn + [reference]
    }
    if isBuffered { unsynced.append(reference) } else { unsynced = [] }
    undecided = []
    reference = next
    return [next]
  }

  /// Performs a step that changes no sample; unless it fails, everything is durable afterwards.
  @discardableResult
  private func attempt(_ body: () throws -> Void) throws -> [Reference] {
    let begin = disk.record.count
    do {
      try body()
      unsynced = []
      if disk.record[begin...].hasSuccessor { undecided = [] }
    } catch {
      guard isExpected(error) else { throw fail("\(error)") }
    }
    return []
  }

  /// Seals, and waits for merges in the background.
  private func seal() throws -> [Reference] {
    guard workload.isMerging else { return try attempt { try database?.seal() } }
    return try forget { database in
      try database.seal()
      database.waitForBackgroundWork()
    }
  }

  private func compact(_ body: (Database) throws -> Void) throws -> [Reference] {
    let failures = disk.failureCount
    let during = try forget(body)
    if disk.failureCount == failures { try checkCompacted() }
    return during
  }

  /// Performs a step that may truncate deletions, except for needed or recent ones.
  func forget(_ body: (Database) throws -> Void) throws -> [Reference] {
    guard let database else { return [] }
    let highest = reference.possibleFloor(
      time: clock.now, retention: Double(workload.retention))
    var during = reference
    during.highestFloor = max(highest, reference.highestFloor)
    let failures = disk.failureCount
    try attempt { try body(database) }
    reference.floor = database.snapshot().floor
    if reference.floor > highest { throw fail("the floor rose to \(reference.floor)") }
    // The new file may be on the disk even if the compaction failed.
    if disk.failureCount > failures { reference.highestFloor = during.highestFloor }
    return [during]
  }

  /// Checks that compaction leaves segments of maximum size, one log and no deleted rows.
  private func checkCompacted() throws {
    guard let database else { return }
    let statistics = try disk.unobserved { try database.statistics() }
    let names = disk.visible.map(\.name)
    let isTidy =
      (statistics.segmentCount <= 1 || workload.segmentRows > 0) && statistics.deletedRowCount == 0
      && names.count == statistics.segmentCount + 1
    // A file whose removal failed earlier may still exist.
    if !isTidy, disk.failureCount == 0 { throw fail("after compaction: \(names)") }
  }

  // MARK: Opening

  private func reopen() throws -> [Reference] {
    try attempt { try database?.close() }
    process.kill()
    return try open()
  }

  /// Opens the store in a new process.
  ///
  /// Retries after injected failures.
  private func open(afterPowerCut: Bool = false) throws -> [Reference] {
    // Each fault may affect one opening after another.
    let attempts = disk.faults.reduce(1) { $0 + $1.times }
    let during = candidates.map(merged)
    for _ in 0..<attempts {
      process = disk.process()
      let failures = disk.failureCount
      do {
        database = try Database(
          path: SimulatedProcess.directory,
          options: Self.options(workload, clock, salts, isMerging: workload.isMerging),
          fileSystem: process)
        database?.waitForBackgroundWork()
        stream = IdentifierStream(
          high: mixed(workload.seed &+ UInt64(reference.records.count)),
          key: Identifier(high: workload.seed, low: 1))
        database?.symbols.streams.add(stream)
        try adopt(afterPowerCut: afterPowerCut)
        return during
      } catch {
        process.kill()
        database = nil
        guard disk.failureCount > failures, case StoreError.inputOutput = error else {
          throw error is SimulationFailure ? error : fail("opening failed: \(error)")
        }
      }
    }
    throw fail("opening failed \(attempts) times")
  }

  /// Determines which of the possible contents the store has.
  private func adopt(afterPowerCut: Bool) throws {
    guard let database else { return }
    var message = ""
    // Killing a process loses no written data, because the page cache remains.
    let isCertain = disk.faults.isEmpty && !afterPowerCut
    let possible = isCertain ? [reference] + undecided : candidates
    for candidate in possible.map(merged).reversed() {
      var comparison = Comparison(
        database, salt: workload.seed &+ UInt64(step), subjects: workload.subjects)
      let found = try disk.unobserved {
        try comparison.difference(candidate, isFull: false)
      }
      guard let difference = found else {
        reference = candidate
        settle()
        return
      }
      message = difference
    }
    throw fail("opened, the store differs: \(message)")
  }

  /// Returns the possible contents after opening, which merges small segments immediately.
  private func merged(_ reference: Reference) -> Reference {
    guard workload.isMerging else { return reference }
    var merged = reference
    merged.highestFloor = max(
      merged.highestFloor,
      merged.possibleFloor(time: clock.now, retention: Double(workload.retention)))
    return merged
  }

  private func settle() {
    reference.nexts = [(database?.end ?? reference.end) + 1]
    reference.floor = max(reference.floor, database?.snapshot().floor ?? 0)
    reference.highestFloor = reference.floor
    unsynced = []
    undecided = []
    mayRefuse = false
  }

  private func powerCut() throws {
    let record = disk.record
    let image = Crash.randomImage(disk.image, record, &random)
    process.kill()
    let next = Life(disk: SimulatedDisk(image, isRecording: true))
    next.disk.faults = []
    next.disk.bug = workload.bug
    // Faults that have not occurred yet keep their ordinals from the start of the workload.
    next.disk.faults = disk.remainingFaults
    next.disk.random = Seeded(random.next())
    lives.append(next)
    try mark { try open(afterPowerCut: true) }
  }
}
