/// Reads the voltages of an electrocardiogram, in order of their time.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The voltages.
  public typealias Sequence = Results

  /// The electrocardiogram, which must be in the store.
  public var electrocardiogram: HKElectrocardiogram

  /// Makes a descriptor for an electrocardiogram.
  public init(_ electrocardiogram: HKElectrocardiogram) {
    self.electrocardiogram = electrocardiogram
  }

  /// Returns the voltages, which are read 1,024 at a time as iteration comes to them.
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

    /// What reads the voltages.
    public typealias AsyncIterator = Iterator

    let electrocardiogram: HKElectrocardiogram
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which sees what is stored when it begins.
    public func makeAsyncIterator() -> Iterator {
      let unit = electrocardiogram.voltageUnit
      return Iterator(source: SeriesElements(healthStore, electrocardiogram) { $0.voltages(unit) })
    }

    /// Reads the voltages, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<HKElectrocardiogram.VoltageMeasurement>
      private var batch: ArraySlice<HKElectrocardiogram.VoltageMeasurement> = []

      init(source: SeriesElements<HKElectrocardiogram.VoltageMeasurement>) { self.source = source }

      /// Returns the next voltage; `nil` after the last.
      ///
      /// - Returns: The voltage.
      /// - Throws: `CancellationError` when the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` when the store does not have the electrocardiogram.
      public mutating func next() async throws -> HKElectrocardiogram.VoltageMeasurement? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
