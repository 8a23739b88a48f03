/// The known identifier streams, by the high half that all identifiers of a stream share.
package final class IdentifierStreams: Sendable {
  private let streams = Locked<[UInt64: IdentifierStream]>([:])
  /// The maximum number of streams: files may name any number, and writers work without them.
  private static let limit = 1 << 16

  /// The streams that this process generated.
  package static let ofThisProcess = IdentifierStreams()

  package init() {}

  /// Adds a stream, unless one with the same high half is already known.
  package func add(_ stream: IdentifierStream) {
    streams.withLock { streams in
      guard streams.count < Self.limit, streams[stream.high] == nil else { return }
      streams[stream.high] = stream
    }
  }

  /// Returns the stream whose identifiers have the given high half.
  package subscript(high: UInt64) -> IdentifierStream? { streams.withLock { $0[high] } }
}
