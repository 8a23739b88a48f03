import SampleLog

/// The elements of stored series for one iterator of a descriptor, read some at a time.
final class SeriesElements<Element: Sendable>: Sendable {
  /// Reads the next elements, at least one; `nil` when there are no more.
  typealias Read = () throws -> [Element]?

  private enum State {
    case idle
    case reading(Read)
    case ended
  }

  private let healthStore: HKHealthStore
  private let begin: @Sendable (StoreReader) throws -> Read
  private let state = Locked(State.idle)

  /// Makes what reads elements; `begin` is called when iteration begins.
  init(_ healthStore: HKHealthStore, begin: @escaping @Sendable (StoreReader) throws -> Read) {
    self.healthStore = healthStore
    self.begin = begin
  }

  /// Makes what reads the points of a sample.
  convenience init(
    _ healthStore: HKHealthStore, _ sample: HKSample,
    elements: @escaping @Sendable (PointChunk) -> [Element]
  ) {
    self.init(healthStore) { reader in
      var series = try SeriesReader(sample, reader)
      return { try series.next().map(elements) }
    }
  }

  /// The next elements; `nil` when there are none, or after an error.
  func next() async throws -> [Element]? {
    do {
      let elements = try await healthStore.reading { reader in try self.read(reader) }
      try Task.checkCancellation()
      return elements
    } catch {
      state.withLock { $0 = .ended }
      throw error
    }
  }

  private func read(_ reader: StoreReader) throws -> [Element]? {
    try state.withLock { state in
      let read: Read
      switch state {
      case .ended: return nil
      case .idle: read = try begin(reader)
      case .reading(let before): read = before
      }
      state = .ended
      guard let elements = try read() else { return nil }
      state = .reading(read)
      return elements
    }
  }
}
