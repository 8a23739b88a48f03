import SampleLog

/// An explorer that runs workloads and opens the images that crashes may leave.
package struct Explorer {
  /// The thoroughness of an exploration.
  package struct Effort: Sendable {
    /// The distance between tears of a write, in bytes.
    package var step = 64
    /// One in this many images is crashed again while it is opened.
    package var deepening = 24
    /// The approximate number of images opened for each such crash.
    package var deepImages = 12
    /// One in `full` images is compared completely, and one in `verified` images is verified.
    package var full = 4
    package var verified = 64

    package init() {}
  }

  package private(set) var counts = Counts()
  private let effort: Effort
  /// The hashes of the images of the current workload, combined with their expectations.
  private var seen: Set<UInt64> = []
  /// The hashes of the images of all workloads.
  private var images: Set<UInt64> = []
  private var expectation: UInt64 = 0

  package init(_ effort: Effort = Effort()) { self.effort = effort }

  /// Runs a workload and opens every image of every moment.
  ///
  /// - Parameters:
  ///   - workload: The workload to run.
  ///   - first: The first step whose crashes are explored.
  ///   - isAfterFault: Whether to begin at the first step that encounters a fault instead, and to
  ///     explore nothing if there is none.
  ///   - keepsLog: Whether the run keeps a log of its events.
  /// - Returns: The run.
  /// - Throws: A ``SimulationFailure``.
  @discardableResult
  package mutating func explore(
    _ workload: Workload, from first: Int = 0, isAfterFault: Bool = false, keepsLog: Bool = false
  ) throws -> Execution {
    let execution = Execution(workload, keepsLog: keepsLog)
    try execution.run()
    counts.workloads += 1
    counts.queries += execution.queries
    counts.errors += execution.lives.reduce(0) { $0 + $1.disk.failureCount }
    counts.digest &+= execution.digest
    let begin = isAfterFault ? execution.firstFailedStep ?? .max : first
    if begin == .max { return execution }
    seen.removeAll(keepingCapacity: true)
    for life in execution.lives {
      try explore(life, of: workload, from: begin)
    }
    return execution
  }

  /// Runs a workload and opens only the images that its own steps open.
  package mutating func run(_ workload: Workload) throws {
    let execution = Execution(workload)
    try execution.run()
    counts.workloads += 1
    counts.queries += execution.queries
    counts.digest &+= execution.digest
  }

  private mutating func explore(
    _ life: Execution.Life, of workload: Workload, from first: Int
  ) throws {
    var state = CrashState(life.disk.image)
    for mark in life.marks {
      guard mark.step >= first else {
        for position in mark.operations { state.apply(life.disk.record[position]) }
        continue
      }
      var random = Seeded(workload.seed &* 31 &+ UInt64(mark.step))
      for position in mark.operations {
        let operation = life.disk.record[position]
        state.apply(operation)
        let isLast = position + 1 == mark.operations.upperBound
        if isLast || position == mark.operations.lowerBound { expectation &+= 1 }
        let candidates = isLast ? mark.after : mark.during
        try state.images(after: operation, step: effort.step, &random) { image in
          do {
            try check(image, candidates, workload, depth: 1)
          } catch let failure as SimulationFailure {
            let where_ =
              "step \(mark.step + 1), crash after operation \(position) (\(operation.name))"
            throw SimulationFailure(
              workload: workload, message: "\(where_): \(failure.message)")
          }
        }
      }
    }
  }

  /// Adds the counters of other simulations.
  package mutating func add(_ more: Counts) { counts += more }

  mutating func noteTwice() { counts.repeated += 1 }

  // MARK: One image

  /// Opens an image, which must match one of the candidates.
  private mutating func check(
    _ image: DiskImage, _ candidates: [Reference], _ workload: Workload, depth: Int
  ) throws {
    counts.images += 1
    let key = image.hash &+ mixed(expectation)
    guard seen.insert(key).inserted else { return }
    counts.opened += 1
    if images.insert(image.hash).inserted { counts.distinct += 1 }
    if depth > 1 { counts.recoveries[depth - 2] += 1 }
    counts.digest &+= mixed(key)
    let chance = mixed(key ^ workload.seed)
    let isDeep = depth < 3 && chance % UInt64(depth == 1 ? effort.deepening : 3) == 0
    if chance >> 20 % UInt64(effort.verified) == 0 {
      try verify(image, candidates, workload)
    }
    let disk = SimulatedDisk(image, isRecording: isDeep)
    disk.bug = workload.bug
    let process = disk.process()
    defer { process.kill() }
    let database = try open(process, workload, image, .readWrite)
    let isFull = chance >> 40 % UInt64(effort.full) == 0
    let match = try match(database, candidates, workload, salt: key, isFull: isFull)
    if isDeep { try deepen(disk, process, database, match, candidates, workload, depth) }
  }

  private func open(
    _ process: SimulatedProcess, _ workload: Workload, _ image: DiskImage, _ mode: OpenMode
  ) throws -> Database {
    let clock = Clock()
    clock.now = 100_000
    do {
      return try Database(
        path: SimulatedProcess.directory, mode: mode,
        options: Execution.options(workload, clock, SaltSource(workload.seed ^ image.hash)),
        fileSystem: process)
    } catch {
      throw SimulationFailure(
        workload: workload, message: "opening failed: \(error) [\(image.summary)]")
    }
  }

  /// Returns the candidate that a store matches.
  private mutating func match(
    _ database: Database, _ candidates: [Reference], _ workload: Workload, salt: UInt64,
    isFull: Bool
  ) throws -> Reference {
    var message = ""
    for candidate in candidates.reversed() {
      var comparison = Comparison(database, salt: salt, subjects: workload.subjects)
      let difference: String?
      do {
        difference = try comparison.difference(candidate, isFull: isFull)
      } catch {
        difference = "\(error)"
      }
      counts.queries += comparison.queries
      guard let difference else {
        var match = candidate
        let snapshot = database.snapshot()
        match.nexts = [snapshot.end + 1]
        match.floor = snapshot.floor
        match.highestFloor = snapshot.floor
        return match
      }
      message = difference
    }
    throw SimulationFailure(workload: workload, message: message)
  }

  /// Checks that opening read-only yields the same contents and changes nothing, and that
  /// verification finds no damage.
  private mutating func verify(
    _ image: DiskImage, _ candidates: [Reference], _ workload: Workload
  ) throws {
    counts.verified += 1
    let isEmpty = !image.entries.contains { $0.name.hasSuffix(".log") || $0.name.hasSuffix("ent") }
    if isEmpty { return }
    let disk = SimulatedDisk(image, isRecording: true)
    let process = disk.process()
    defer { process.kill() }
    let database = try open(process, workload, image, .readOnly)
    _ = try match(database, candidates, workload, salt: image.hash, isFull: true)
    let verification = try Verification(path: SimulatedProcess.directory, fileSystem: process)
    guard verification.isGood else {
      throw SimulationFailure(
        workload: workload, message: "verifying found \(verification.damages)")
    }
    // A reader may sync the data it shows, but changes nothing.
    let isUnchanged = disk.record.allSatisfy { operation in
      if case .sync = operation { return true }
      return false
    }
    guard isUnchanged else {
      throw SimulationFailure(workload: workload, message: "a reader did \(disk.record)")
    }
  }

  // MARK: Crashes of opened stores

  /// Crashes the opening of an image at some moments, and the use of the store after it.
  private mutating func deepen(
    _ disk: SimulatedDisk, _ process: SimulatedProcess, _ database: Database, _ match: Reference,
    _ candidates: [Reference], _ workload: Workload, _ depth: Int
  ) throws {
    let opened = disk.record.count
    var edit = Edit(time: 100_000)
    edit.additions = [
      Record(
        id: Identifier(high: 0xDEE9, low: UInt64(depth) << 32 | match.end), series: 0, start: 1,
        end: 2, value: Double(depth), extras: [])
    ]
    var next = match
    do {
      guard let first = try database.perform(edit, isBuffered: false)?.lowerBound else { return }
      guard match.nexts == [first] else {
        throw SimulationFailure(workload: workload, message: "the next commit took \(first)")
      }
      next.apply(edit, first: first)
    } catch {
      throw error is SimulationFailure
        ? error
        : SimulationFailure(workload: workload, message: "saving after opening failed: \(error)")
    }
    process.kill()
    var state = CrashState(disk.image)
    var random = Seeded(disk.image.hash ^ UInt64(depth))
    let share = max(1, disk.record.count * 12 / effort.deepImages)
    let before = expectation
    for (position, operation) in disk.record.enumerated() {
      state.apply(operation)
      let done = position + 1
      let expected =
        done < opened
        ? candidates
        : done == opened ? [match] : done == disk.record.count ? [next] : [match, next]
      expectation = mixed(before ^ UInt64(depth * 4096 + min(done, opened + 1)) ^ match.end << 20)
      if done == disk.record.count { expectation &+= 1 }
      var skip = random.below(share)
      try state.images(after: operation, step: effort.step, &random) { image in
        skip -= 1
        if skip >= 0 { return }
        skip = share - 1
        do {
          try check(image, expected, workload, depth: depth + 1)
        } catch let failure as SimulationFailure {
          throw SimulationFailure(
            workload: workload,
            message:
              "crash \(depth + 1) after operation \(position) of opening (\(operation.name)): "
              + failure.message)
        }
      }
    }
    expectation = before
  }
}

extension DiskImage {
  /// The names and sizes of the files.
  var summary: String { entries.map { "\($0.name) \($0.bytes.count)" }.joined(separator: ", ") }
}

extension DiskOperation {
  /// A short description of the operation.
  var name: String {
    switch self {
    case .create(let name, _): "create \(name)"
    case .link(let name, let file): "link \(name) to \(file)"
    case .rename(let from, let to, _): "rename \(from) to \(to)"
    case .remove(let name): "remove \(name)"
    case .syncDirectory: "sync directory"
    case .write(let file, let offset, let bytes): "write \(bytes.count) at \(offset) of \(file)"
    case .truncate(let file, let length): "cut \(file) to \(length)"
    case .preallocate(let file, let length): "reserve \(length) of \(file)"
    case .sync(let file): "sync \(file)"
    case .loseTrack(let file): "failed sync of \(file), bytes kept"
    case .fallBack(let file, _): "failed sync of \(file), bytes dropped"
    case .lock: "lock"
    }
  }
}

extension Explorer {
  /// Runs a workload twice and compares all events.
  package mutating func exploreTwice(_ workload: Workload) throws {
    let first = Execution(workload, keepsLog: true, isFull: false)
    try first.run()
    let second = Execution(workload, keepsLog: true, isFull: false)
    try second.run()
    guard first.log == second.log, first.digest == second.digest else {
      let position = first.log.indices.first { second.log[$0] != first.log[$0] } ?? 0
      throw SimulationFailure(
        workload: workload, message: "two runs differ at event \(position): \(first.log[position])")
    }
    noteTwice()
  }
}
