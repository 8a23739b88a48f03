internal import SampleLog

/// Generates identifiers from successive streams, in batches to reduce the cost per identifier.
struct IdentifierMaker {
  private var stream = IdentifierStream(high: 0, key: Identifier(high: 0, low: 0))
  private let streamLength: UInt64
  private var next: UInt64
  /// The second halves generated ahead, in reverse order.
  private var ready: [UInt64] = []

  private static let batch: UInt64 = 64

  /// Creates a generator whose streams end after `streamLength` identifiers, a multiple of 64.
  init(streamLength: UInt64 = 1 << 20) {
    self.streamLength = streamLength
    next = streamLength
  }

  /// Returns a new identifier.
  mutating func callAsFunction() -> Identifier {
    if ready.isEmpty { refill() }
    return Identifier(high: stream.high, low: ready.removeLast())
  }

  private mutating func refill() {
    if next == streamLength { begin() }
    ready.append(contentsOf: (next..<next + Self.batch).reversed())
    next += Self.batch
    ready.withUnsafeMutableBufferPointer { words in
      if let base = words.baseAddress { stream.encipher(base, count: words.count) }
    }
  }

  private mutating func begin() {
    var random = SystemRandomNumberGenerator()
    stream = IdentifierStream(
      high: random.next(), key: Identifier(high: random.next(), low: random.next()))
    IdentifierStreams.ofThisProcess.add(stream)
    next = 0
  }
}
