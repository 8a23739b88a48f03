import Foundation
internal import SampleLog

/// A buffered text output to a file descriptor, or to a closure in tests.
final class Output: Sendable {
  let isTerminal: Bool
  private let sink: @Sendable ([UInt8]) throws -> Void
  private let probe: @Sendable () -> Bool
  private let state = Locked(State())

  private struct State {
    var buffer: [UInt8] = []
    /// The first error of the sink, which every later flush throws again.
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

  /// Whether the output may still have a reader, determined without writing.
  var isOpen: Bool { probe() }

  /// Creates an output for the standard output or standard error of the process.
  convenience init(_ handle: FileHandle) {
    let descriptor = handle.fileDescriptor
    let isOpen: @Sendable () -> Bool = {
      // `poll` reports a pipe without a reader as an error, even if no events are requested.
      var state = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&state, 1, 0) <= 0 || Int32(state.revents) & (POLLERR | POLLHUP) == 0
    }
    self.init(isTerminal: isatty(descriptor) == 1, probe: isOpen) { bytes in
      try Descriptors.write(bytes, to: descriptor)
    }
  }

  func write(_ text: String) throws { try write(bytes: Array(text.utf8)) }

  /// Writes UTF-8 text, which must not end inside a character.
  ///
  /// On a terminal, unprintable characters are escaped in every format.
  func write(bytes: [UInt8]) throws {
    if isTerminal, bytes.contains(where: { !(0x20..<0x7F).contains($0) && $0 != 0x0A }) {
      try append(Array(String(decoding: bytes, as: UTF8.self).printableLines.utf8))
    } else {
      try append(bytes)
    }
  }

  /// Writes text with control sequences of this program, without escaping.
  func write(controls text: String) throws { try append(Array(text.utf8)) }

  private func append(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      state.buffer += bytes
      if state.buffer.count >= 64 << 10 { try empty(&state) }
    }
  }

  func line(_ text: String = "") throws { try write(text + "\n") }

  /// Writes the buffer to the sink.
  ///
  /// - Throws: The error of the sink. After a failure, every call throws it again, because output
  ///   has been lost.
  func flush() throws {
    try state.withLock { try empty(&$0) }
  }

  private func empty(_ state: inout State) throws {
    // The buffer is emptied even if writing fails, so that a later flush does not write it twice.
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
