import SampleLog

/// The elements of stored series for one iterator of a descriptor, read in batches.
final class SeriesElements<Element: Sendable>: Sendable {
  /// Reads the next batch, which is not empty, or returns nil after the last.
  typealias Read = () throws -> [Element]?

  private enum State {
    case idle
    case reading(Read)
    case ended
  }

  private let healthStore: HKHealthStore
  private let begin: @Sendable (StoreReader) throws -> Read
  private let state = Locked(State.idle)

  /// Creates a source of elements.
  ///
  /// `begin` is called when iteration begins.
  init(_ healthStore: HKHealthStore, begin: @escaping @Sendable (StoreReader) throws -> Read) {
    self.healthStore = healthStore
    self.begin = begin
  }

  /// Creates a source of a sample's points.
  convenience init(
    _ healthStore: HKHealthStore, _ sample: HKSample,
    elements: @escaping @Sendable (PointChunk) -> [Element]
  ) {
    self.init(healthStore) { reader in
      var series = try SeriesReader(sample, reader)
      return { try series.next().map(elements) }
    }
  }

  /// Returns the next batch, or nil after the last or after an error.
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
