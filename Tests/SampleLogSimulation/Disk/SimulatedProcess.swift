package import SampleLog

/// A process's view of a simulated disk.
package final class SimulatedProcess: FileSystem, @unchecked Sendable {
  /// The directory's path.
  package static let directory = "s"

  let disk: SimulatedDisk
  package private(set) var hasCrashed = false

  init(_ disk: SimulatedDisk) { self.disk = disk }

  /// Kills the process.
  ///
  /// Later calls have no effect on the disk.
  package func kill() {
    hasCrashed = true
    disk.releaseLock(self)
  }

  /// Throws if the process was killed; otherwise counts the call and returns the fault to inject,
  /// if any.
  @inline(__always)
  func enter(_ call: DiskCall, _ path: String) throws -> DiskFault? {
    if hasCrashed { throw Self.failure(call, path, .inputOutput) }
    return disk.enter(call)
  }

  func check(_ call: DiskCall, _ path: String) throws {
    if let fault = try enter(call, path) { throw Self.failure(call, path, fault.error) }
  }

  static func failure(_ call: DiskCall, _ path: String, _ error: DiskError) -> StoreError {
    .inputOutput(
      operation: call.rawValue, path: path, code: error.rawValue, message: "injected fault")
  }

  private static func missing(_ call: DiskCall, _ path: String) -> StoreError {
    .inputOutput(operation: call.rawValue, path: path, code: 2, message: "no such file")
  }

  private func name(_ path: String) -> String { String(path.dropFirst(Self.directory.count + 1)) }

  package func createDirectory(_ path: String) throws { try check(.createDirectory, path) }

  package func list(_ path: String) throws -> [String]? {
    try check(.list, path)
    return disk.names.map(\.name)
  }

  package func open(_ path: String, _ access: FileAccess) throws -> any File {
    let name = name(path)
    if case .create = access {
      try check(.create, path)
      guard disk.node(name) == nil else {
        throw StoreError.inputOutput(
          operation: "create", path: path, code: 17, message: "file exists")
      }
      return SimulatedFile(disk.create(name), path, self)
    }
    try check(.open, path)
    guard let node = disk.node(name) else { throw Self.missing(.open, path) }
    return SimulatedFile(node, path, self)
  }

  package func link(_ path: String, to newPath: String) throws {
    let fault = try enter(.link, path)
    if fault == nil || fault?.isOdd == true {
      guard disk.node(name(path)) != nil else { throw Self.missing(.link, path) }
      guard disk.node(name(newPath)) == nil else {
        throw StoreError.inputOutput(
          operation: "link", path: newPath, code: 17, message: "file exists")
      }
      disk.link(name(path), to: name(newPath))
    }
    if let fault { throw Self.failure(.link, path, fault.error) }
  }

  package func rename(_ path: String, to newPath: String) throws {
    let fault = try enter(.rename, path)
    if fault == nil || fault?.isOdd == true {
      guard disk.node(name(path)) != nil else { throw Self.missing(.rename, path) }
      disk.rename(name(path), to: name(newPath))
    }
    if let fault { throw Self.failure(.rename, path, fault.error) }
  }

  package func remove(_ path: String) throws {
    let name = name(path)
    guard disk.node(name) != nil else { throw Self.missing(.remove, path) }
    let fault = try enter(.remove, path)
    if fault == nil || fault?.isOdd == true { disk.remove(name) }
    if let fault { throw Self.failure(.remove, path, fault.error) }
  }

  package func syncDirectory(_ path: String) throws {
    try check(.syncDirectory, path)
    disk.syncDirectory()
  }

  package func lock(_ path: String) throws -> any FileLock {
    try check(.lock, path)
    guard disk.takeLock(self) else { throw StoreError.locked(path: path, holder: "a process") }
    return Lock(self)
  }

  private final class Lock: FileLock, @unchecked Sendable {
    private let process: SimulatedProcess

    init(_ process: SimulatedProcess) { self.process = process }
    deinit { release() }
    func release() { process.disk.releaseLock(process) }
  }
}
