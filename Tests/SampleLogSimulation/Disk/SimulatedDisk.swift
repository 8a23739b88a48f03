import SampleLog

/// A disk with one directory that records operations and injects faults.
///
/// It holds the page cache, which programs see. ``CrashState`` derives the possible contents after
/// a crash from the record. Not safe for concurrent use, except that queries read files
/// concurrently.
package final class SimulatedDisk: @unchecked Sendable {
  final class Node {
    let number: Int
    var bytes: [UInt8]
    /// The bytes at the last sync.
    var synced: [UInt8]

    init(number: Int, bytes: [UInt8]) {
      self.number = number
      self.bytes = bytes
      synced = bytes
    }
  }

  /// The contents of the disk when the record begins.
  package let image: DiskImage
  /// The operations since then, if recording is enabled.
  package private(set) var record: [DiskOperation] = []
  /// The faults to inject.
  package var faults: [DiskFault] = []
  /// The number of calls that have failed.
  package private(set) var failureCount = 0
  /// The number of calls of each kind.
  package private(set) var calls = [Int](repeating: 0, count: DiskCall.allCases.count)
  /// The generator for the bytes of failed syncs and the length of partial writes.
  package var random = Seeded(0)
  /// Whether the page cache is empty, as after a restart.
  package var hasColdCache = false
  /// Called at the beginning of each read while the page cache is empty.
  package var beforeColdRead: (@Sendable () -> Void)?
  /// Called at the beginning of each file sync, on the thread that syncs.
  package var beforeSync: (@Sendable () -> Void)?
  /// The bug to simulate in the program that uses the disk, or nil.
  package var bug: PlantedBug?
  // The file whose sync a planted bug has delayed.
  private var late: Int?

  private let isRecording: Bool
  /// Serialises the counting of calls.
  private let counting = Locked(())
  private(set) var nodes: [Node] = []
  private(set) var names: [(name: String, node: Node)] = []
  private weak var lockHolder: SimulatedProcess?

  package init(_ image: DiskImage = DiskImage(), isRecording: Bool) {
    self.image = image
    self.isRecording = isRecording
    for entry in image.entries {
      let node = Node(number: nodes.count, bytes: entry.bytes)
      nodes.append(node)
      names.append((entry.name, node))
    }
  }

  /// Returns a process that uses the disk until it is killed.
  package func process() -> SimulatedProcess { SimulatedProcess(self) }

  /// The files as seen by programs.
  package var visible: [(name: String, bytes: [UInt8])] { names.map { ($0.name, $0.node.bytes) } }

  /// Returns the number of calls of a kind.
  package func count(_ call: DiskCall) -> Int { calls[call.position] }

  /// Counts a call and returns the fault to inject, if any.
  func enter(_ call: DiskCall) -> DiskFault? { counting.withLock { _ in meet(call) } }

  private func meet(_ call: DiskCall) -> DiskFault? {
    if let file = late.take() { note(.sync(file: file)) }
    let position = call.position
    calls[position] += 1
    if faults.isEmpty { return nil }
    let number = calls[position]
    guard
      let fault = faults.first(where: {
        $0.call == call && $0.ordinal <= number && number < $0.ordinal + $0.times
      })
    else { return nil }
    failureCount += 1
    return fault
  }

  /// Performs an action without counting calls or injecting faults.
  func unobserved<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (faults, calls) = (faults, calls)
    self.faults = []
    defer {
      self.faults = faults
      self.calls = calls
    }
    return try body()
  }

  /// Makes a file durable, unless a planted bug prevents it.
  func sync(_ node: Node) {
    switch bug {
    case .noFileSync: return
    case .renameBeforeSync where name(of: node)?.hasSuffix(".tmp") == true: return
    case .acknowledgeBeforeSync: late = node.number
    default: note(.sync(file: node.number))
    }
    node.synced = node.bytes
  }

  func syncDirectory() {
    if bug != .noDirectorySync { note(.syncDirectory) }
  }

  private func name(of node: Node) -> String? { names.first { $0.node === node }?.name }

  func note(_ operation: @autoclosure () -> DiskOperation) {
    if isRecording { record.append(operation()) }
  }

  // MARK: Names

  func node(_ name: String) -> Node? { names.first { $0.name == name }?.node }

  func create(_ name: String) -> Node {
    let node = Node(number: nodes.count, bytes: [])
    nodes.append(node)
    names.append((name, node))
    note(.create(name: name, file: node.number))
    return node
  }

  func link(_ name: String, to newName: String) {
    guard let node = node(name) else { return }
    names.append((newName, node))
    note(.link(name: newName, file: node.number))
  }

  func rename(_ name: String, to newName: String) {
    guard let node = node(name) else { return }
    names.removeAll { $0.name == newName || $0.name == name }
    names.append((newName, node))
    note(.rename(from: name, to: newName, file: node.number))
  }

  func remove(_ name: String) {
    names.removeAll { $0.name == name }
    note(.remove(name: name))
  }

  // MARK: The lock

  func takeLock(_ process: SimulatedProcess) -> Bool {
    if let lockHolder, lockHolder !== process, !lockHolder.hasCrashed { return false }
    lockHolder = process
    note(.lock)
    return true
  }

  func releaseLock(_ process: SimulatedProcess) {
    if lockHolder === process { lockHolder = nil }
  }
}

extension DiskCall {
  /// The index of the call among all kinds.
  var position: Int {
    switch self {
    case .list: 0
    case .open: 1
    case .create: 2
    case .size: 3
    case .read: 4
    case .write: 5
    case .sync: 6
    case .preallocate: 7
    case .truncate: 8
    case .rename: 9
    case .remove: 10
    case .syncDirectory: 11
    case .lock: 12
    case .createDirectory: 13
    case .link: 14
    }
  }
}
