/// The streams of identifiers that are known, by the half that their identifiers share.
package final class IdentifierStreams: Sendable {
  private let streams = Locked<[UInt64: IdentifierStream]>([:])
  /// Files may name any number of them; a writer can do without.
  private static let limit = 1 << 16

  /// Those that this process has drawn itself.
  package static let ofThisProcess = IdentifierStreams()

  package init() {}

  /// Adds a stream; of several with one first half the first stays.
  package func add(_ stream: IdentifierStream) {
    streams.withLock { streams in
      guard streams.count < Self.limit, streams[stream.high] == nil else { return }
      streams[stream.high] = stream
    }
  }

  /// The stream whose identifiers begin with a half.
  package subscript(high: UInt64) -> IdentifierStream? { streams.withLock { $0[high] } }
}
