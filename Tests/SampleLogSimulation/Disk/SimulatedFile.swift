import SampleLog

/// An open file of a simulated disk.
final class SimulatedFile: File, @unchecked Sendable {
  private let node: SimulatedDisk.Node
  private let path: String
  private let process: SimulatedProcess
  private var disk: SimulatedDisk { process.disk }

  init(_ node: SimulatedDisk.Node, _ path: String, _ process: SimulatedProcess) {
    self.node = node
    self.path = path
    self.process = process
  }

  func size() throws -> Int {
    try process.check(.size, path)
    return node.bytes.count
  }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    if disk.hasColdCache { disk.beforeColdRead?() }
    try process.check(.read, path)
    guard offset < node.bytes.count else { return 0 }
    let count = min(buffer.byteCount, node.bytes.count - offset)
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: node.bytes[offset..<offset + count]) }
    return count
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    let fault = try process.enter(.write, path)
    // A failed write may be partial.
    let done =
      fault == nil
      ? bytes.byteCount : fault?.isOdd == true ? disk.random.below(bytes.byteCount) : 0
    if done > 0 {
      let part = bytes.withUnsafeBytes { [UInt8]($0[..<done]) }
      node.bytes.overlay(part, at: offset)
      disk.note(.write(file: node.number, offset: offset, bytes: part))
    }
    if let fault { throw SimulatedProcess.failure(.write, path, fault.error) }
  }

  func readCached(into buffer: inout MutableRawSpan, at offset: Int) throws -> Bool {
    try !disk.hasColdCache && read(into: &buffer, at: offset) == buffer.byteCount
  }

  func sync() throws {
    disk.beforeSync?()
    guard let fault = try process.enter(.sync, path) else {
      return disk.sync(node)
    }
    if fault.isOdd {
      node.bytes = node.synced
      disk.note(.fallBack(file: node.number, bytes: node.bytes))
    } else {
      disk.note(.loseTrack(file: node.number))
    }
    throw SimulatedProcess.failure(.sync, path, fault.error)
  }

  func preallocate(_ length: Int) throws {
    try process.check(.preallocate, path)
    disk.note(.preallocate(file: node.number, length: length))
  }

  func truncate(to length: Int) throws {
    let fault = try process.enter(.truncate, path)
    if fault == nil || fault?.isOdd == true {
      node.bytes.resize(to: length)
      disk.note(.truncate(file: node.number, length: length))
    }
    if let fault { throw SimulatedProcess.failure(.truncate, path, fault.error) }
  }
}

extension [UInt8] {
  /// Writes bytes at an offset.
  ///
  /// A gap after the end is filled with zeros.
  mutating func overlay(_ bytes: [UInt8], at offset: Int) {
    overlay(bytes[...], at: offset)
  }

  mutating func overlay(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let end = offset + bytes.count
    if count < end { append(contentsOf: repeatElement(0, count: end - count)) }
    bytes.withUnsafeBytes { source in
      withUnsafeMutableBytes { target in
        UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: source)
      }
    }
  }

  /// Truncates, or extends with zeros.
  mutating func resize(to length: Int) {
    if length < count {
      removeLast(count - length)
    } else {
      append(contentsOf: repeatElement(0, count: length - count))
    }
  }
}
