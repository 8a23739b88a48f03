public import Foundation

/// Reads the values that quantity samples stand for.
///
/// A sample of one value stands for its own quantity, from its start to its end.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The values.
  public typealias Sequence = Results

  /// How values are read.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Each value comes with its sample.
    public static let includeSample = Options(rawValue: 1)

    /// Values come sample by sample, in order of the samples' start, rather than in order of their
    /// own.
    public static let orderByQuantitySampleStartDate = Options(rawValue: 2)
  }

  /// A value.
  public struct Result: Hashable, Sendable {
    /// The value.
    public let quantity: HKQuantity

    /// What time it is for.
    public let dateInterval: DateInterval

    /// The sample that stands for it; `nil` without ``Options/includeSample``.
    public let sample: HKQuantitySample?
  }

  /// What the samples must satisfy.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// How values are read.
  public var options: Options

  /// Makes a descriptor for the values of samples.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
    self.predicate = predicate
    self.options = options
  }

  /// Returns the values, which are read as iteration comes to them; they end with those that the
  /// store had when it began.
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

    /// What reads the values.
    public typealias AsyncIterator = Iterator

    let descriptor: HKQuantitySeriesSampleQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which sees what is stored when it begins.
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

    /// Reads the values, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<Result>
      private var batch: ArraySlice<Result> = []

      init(source: SeriesElements<Result>) { self.source = source }

      /// Returns the next value; `nil` after the last.
      ///
      /// - Returns: The value.
      /// - Throws: `CancellationError` when the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
