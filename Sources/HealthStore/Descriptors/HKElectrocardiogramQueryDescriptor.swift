/// Reads the voltages of an electrocardiogram in chronological order.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The voltages.
  public typealias Sequence = Results

  /// The electrocardiogram, which must be in the store.
  public var electrocardiogram: HKElectrocardiogram

  /// Creates a descriptor for an electrocardiogram.
  public init(_ electrocardiogram: HKElectrocardiogram) {
    self.electrocardiogram = electrocardiogram
  }

  /// Returns a sequence of voltages, which are read in batches of 1,024 during iteration.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The voltages.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(electrocardiogram: electrocardiogram, healthStore: healthStore)
  }

  /// The voltages of an electrocardiogram.
  public struct Results: AsyncSequence, Sendable {
    /// One voltage.
    public typealias Element = HKElectrocardiogram.VoltageMeasurement

    /// The iterator over voltages.
    public typealias AsyncIterator = Iterator

    let electrocardiogram: HKElectrocardiogram
    let healthStore: HKHealthStore

    /// Returns an iterator over a snapshot of the store taken when iteration begins.
    public func makeAsyncIterator() -> Iterator {
      let unit = electrocardiogram.voltageUnit
      return Iterator(source: SeriesElements(healthStore, electrocardiogram) { $0.voltages(unit) })
    }

    /// Iterates over the voltages.
    ///
    /// Not safe for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<HKElectrocardiogram.VoltageMeasurement>
      private var batch: ArraySlice<HKElectrocardiogram.VoltageMeasurement> = []

      init(source: SeriesElements<HKElectrocardiogram.VoltageMeasurement>) { self.source = source }

      /// Returns the next voltage, or nil after the last.
      ///
      /// - Returns: The voltage.
      /// - Throws: `CancellationError` if the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` if the electrocardiogram is not in the store.
      public mutating func next() async throws -> HKElectrocardiogram.VoltageMeasurement? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
