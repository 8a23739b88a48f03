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

  func write(_ text: String) throws { try write(bytes: Array(text.utf8)) }

  /// Writes whole lines, or parts of one, that are UTF-8.
  ///
  /// On a terminal a person reads every format, so characters that would act on it are escaped.
  func write(bytes: [UInt8]) throws {
    if isTerminal, bytes.contains(where: { !(0x20..<0x7F).contains($0) && $0 != 0x0A }) {
      try append(Array(String(decoding: bytes, as: UTF8.self).printableLines.utf8))
    } else {
      try append(bytes)
    }
  }

  /// Writes this program's own control sequences and the text between them, as they are.
  func write(controls text: String) throws { try append(Array(text.utf8)) }

  private func append(_ bytes: [UInt8]) throws {
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
