/// The known identifier streams, by the high half that all identifiers of a stream share.
package final class IdentifierStreams: Sendable {
  // A dictionary as the lock's type argument would make its first use in a process look up the
  // conformance of the key, which takes longer than opening a segment.
  private struct State {
    var streams: [UInt64: IdentifierStream] = [:]
  }

  private let state = Locked(State())
  /// The maximum number of streams: files may name any number, and writers work without them.
  private static let limit = 1 << 16

  /// The streams that this process generated.
  package static let ofThisProcess = IdentifierStreams()

  package init() {}

  /// Adds a stream, unless one with the same high half is already known.
  package func add(_ stream: IdentifierStream) {
    state.withLock { state in
      guard state.streams.count < Self.limit, state.streams[stream.high] == nil else { return }
      state.streams[stream.high] = stream
    }
  }

  /// Returns the stream whose identifiers have the given high half.
  package subscript(high: UInt64) -> IdentifierStream? {
    state.withLock { $0.streams[high] }
  }
}
