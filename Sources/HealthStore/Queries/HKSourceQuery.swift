public import Foundation

/// Reads the sources of matching samples.
///
/// The result is delivered in one call of the handler, which ends the query.
///
/// ```swift
/// let query = HKSourceQuery(sampleType: steps, samplePredicate: nil) { query, sources, error in
///   show(sources?.count)
/// }
/// store.execute(query)
/// ```
open class HKSourceQuery: HKQuery, @unchecked Sendable {
  private let descriptor: HKQueryDescriptor
  private let completionHandler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

  /// Creates a query for the sources of samples of one type.
  ///
  /// - Parameters:
  ///   - sampleType: The type of samples.
  ///   - objectPredicate: The condition on samples, which may refer to the source, or nil to match
  ///     all.
  ///   - completionHandler: The handler; receives the sources, possibly an empty set, or nil and
  ///     an error.
  @preconcurrency
  public init(
    sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
    completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
  ) {
    descriptor = HKQueryDescriptor(sampleType: sampleType, predicate: objectPredicate)
    self.completionHandler = completionHandler
    super.init(objectType: sampleType, predicate: objectPredicate)
  }

  override func run(_ reader: StoreReader) throws {
    let sources = try reader.sources(try reader.plan([descriptor]))
    execution.deliver { completionHandler(self, sources, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { completionHandler(self, nil, error) }
}
