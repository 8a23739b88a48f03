import Foundation
internal import SampleLog

/// Where a command writes text: a buffer in front of a file or of a test.
final class Output: Sendable {
  /// Whether a person is looking at it.
  let isTerminal: Bool
  private let sink: @Sendable ([UInt8]) throws -> Void
  private let probe: @Sendable () -> Bool
  private let buffer = Locked<[UInt8]>([])

  init(
    isTerminal: Bool, probe: @escaping @Sendable () -> Bool = { true },
    sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.isTerminal = isTerminal
    self.probe = probe
    self.sink = sink
  }

  /// Whether somebody may still read the output, found out without writing.
  var isOpen: Bool { probe() }

  /// The standard output or error of the process.
  convenience init(_ handle: FileHandle) {
    let descriptor = handle.fileDescriptor
    let isOpen: @Sendable () -> Bool = {
      // The other end of a pipe that is gone shows as an error, whatever is asked for.
      var state = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&state, 1, 0) <= 0 || Int32(state.revents) & (POLLERR | POLLHUP) == 0
    }
    self.init(isTerminal: isatty(descriptor) == 1, probe: isOpen) { bytes in
      do {
        try handle.write(contentsOf: bytes)
      } catch {
        // Whatever the reason, nobody gets to read what follows.
        throw ClosedOutput()
      }
    }
  }

  func write(_ text: String) throws {
    try buffer.withLock { buffer in
      var text = text
      text.withUTF8 { buffer.append(contentsOf: $0) }
      if buffer.count >= 64 << 10 { try empty(&buffer) }
    }
  }

  func line(_ text: String = "") throws { try write(text + "\n") }

  func flush() throws {
    try buffer.withLock { try empty(&$0) }
  }

  private func empty(_ buffer: inout [UInt8]) throws {
    guard !buffer.isEmpty else { return }
    // Emptied also when it fails, or else a later flush would write it twice.
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try sink(bytes)
  }
}

/// Nobody reads the output any more.
struct ClosedOutput: Error {}
