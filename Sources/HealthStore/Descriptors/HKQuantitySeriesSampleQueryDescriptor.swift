public import Foundation

/// Reads the individual values of quantity samples.
///
/// A sample with a single value yields its quantity, from its start to its end.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The values.
  public typealias Sequence = Results

  /// Options for reading values.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bit mask of the options.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Includes the sample with each value.
    public static let includeSample = Options(rawValue: 1)

    /// Groups values by sample, in order of the samples' start, rather than by their own start.
    public static let orderByQuantitySampleStartDate = Options(rawValue: 2)
  }

  /// A value.
  public struct Result: Hashable, Sendable {
    /// The value.
    public let quantity: HKQuantity

    /// The time interval of the value.
    public let dateInterval: DateInterval

    /// The sample that holds the value, or nil without ``Options/includeSample``.
    public let sample: HKQuantitySample?
  }

  /// The condition that samples must satisfy.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// The options for reading values.
  public var options: Options

  /// Creates a descriptor for the values of samples.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
    self.predicate = predicate
    self.options = options
  }

  /// Returns a sequence of values, which are read during iteration from a snapshot of the store.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The values.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, healthStore: healthStore)
  }

  /// The values of samples.
  public struct Results: AsyncSequence, Sendable {
    /// One value.
    public typealias Element = Result

    /// The iterator over values.
    public typealias AsyncIterator = Iterator

    let descriptor: HKQuantitySeriesSampleQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns an iterator over a snapshot of the store taken when iteration begins.
    public func makeAsyncIterator() -> Iterator {
      let descriptor = descriptor
      return Iterator(
        source: SeriesElements(healthStore) { reader in
          var values = try QuantityValueReader(
            try reader.plan([descriptor.predicate]), reader,
            isOrderedBySample: descriptor.options.contains(.orderByQuantitySampleStartDate))
          let includeSample = descriptor.options.contains(.includeSample)
          return {
            var batch: [Result] = []
            while batch.count < PointChunk.maximumCount, let element = try values.next() {
              batch.append(
                Result(
                  quantity: element.quantity, dateInterval: element.value.interval,
                  sample: includeSample ? element.sample : nil))
            }
            return batch.isEmpty ? nil : batch
          }
        })
    }

    /// Iterates over the values.
    ///
    /// Not safe for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<Result>
      private var batch: ArraySlice<Result> = []

      init(source: SeriesElements<Result>) { self.source = source }

      /// Returns the next value, or nil after the last.
      ///
      /// - Returns: The value.
      /// - Throws: `CancellationError` if the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
