public import Foundation

/// Reads documents once, with what they contain.
///
/// Unlike HealthKit's it asks nobody: with a policy, reading is allowed or denied as for any type.
/// The whole answer is delivered in one call of the handler.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
  /// The greatest number of documents; `HKObjectQueryNoLimit` for all.
  open private(set) var limit: Int

  /// The order of the documents; the limit applies after sorting.
  open private(set) var sortDescriptors: [NSSortDescriptor]?

  /// Whether documents come with their data.
  open private(set) var includeDocumentData: Bool

  private let documentType: HKDocumentType
  private let resultsHandler:
    @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

  /// Makes a query.
  ///
  /// The handler gets documents, none being an empty array, and that it is done, or `nil`, that it
  /// is done and an error.
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
