import Foundation
internal import SampleLog

/// Where a command writes text: a buffer in front of a file or of a test.
final class Output: Sendable {
  /// Whether a person is looking at it.
  let isTerminal: Bool
  private let sink: @Sendable ([UInt8]) throws -> Void
  private let probe: @Sendable () -> Bool
  private let state = Locked(State())

  private struct State {
    var buffer: [UInt8] = []
    /// Why the sink took nothing once, and will take nothing again.
    var failure: (any Error)?
  }

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
      try Descriptors.write(bytes, to: descriptor)
    }
  }

  func write(_ text: String) throws {
    try state.withLock { state in
      var text = text
      text.withUTF8 { state.buffer.append(contentsOf: $0) }
      if state.buffer.count >= 64 << 10 { try empty(&state) }
    }
  }

  /// Writes text that is bytes already.
  func write(bytes: [UInt8]) throws {
    try state.withLock { state in
      state.buffer += bytes
      if state.buffer.count >= 64 << 10 { try empty(&state) }
    }
  }

  func line(_ text: String = "") throws { try write(text + "\n") }

  /// Writes what is buffered.
  ///
  /// - Throws: What the sink throws, and then again each time: what was lost stays lost.
  func flush() throws {
    try state.withLock { try empty(&$0) }
  }

  private func empty(_ state: inout State) throws {
    // Emptied also when it fails, or else a later flush would write it twice.
    let bytes = state.buffer
    state.buffer.removeAll(keepingCapacity: true)
    if let failure = state.failure { throw failure }
    guard !bytes.isEmpty else { return }
    do {
      try sink(bytes)
    } catch {
      state.failure = error
      throw error
    }
  }
}
