public import Foundation

/// A query that reads documents and their contents once.
///
/// Unlike in HealthKit, the query does not prompt the user: an authorization policy grants or
/// denies reading as for any other type. All documents are delivered in a single call of the
/// handler.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
  /// The maximum number of documents, or `HKObjectQueryNoLimit` for no limit.
  open private(set) var limit: Int

  /// The order of the documents; the limit applies after sorting.
  open private(set) var sortDescriptors: [NSSortDescriptor]?

  /// Whether the documents include their data.
  open private(set) var includeDocumentData: Bool

  private let documentType: HKDocumentType
  private let resultsHandler:
    @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

  /// Creates a query.
  ///
  /// On success the handler receives the documents, or an empty array if there are none, and true
  /// for completion. On failure it receives `nil`, true, and the error.
  @preconcurrency
  public init(
    documentType: HKDocumentType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?, includeDocumentData: Bool,
    resultsHandler:
      @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
  ) {
    self.documentType = documentType
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    self.includeDocumentData = includeDocumentData
    self.resultsHandler = resultsHandler
    super.init(objectType: documentType, predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let found: [HKCDADocumentSample] = try reader.samples(
      try reader.plan([(documentType, try SampleCondition(predicate))]),
      order: SampleOrder(sortDescriptors), limit: limit)
    let documents = found.map { $0.opened(withData: includeDocumentData) }
    execution.deliver { resultsHandler(self, documents, true, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, true, error) }
}
