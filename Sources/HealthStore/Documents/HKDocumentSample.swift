/// A sample that holds a document.
///
/// Abstract: make an ``HKCDADocumentSample``.
open class HKDocumentSample: HKSample, @unchecked Sendable {
  /// The kind of document.
  open var documentType: HKDocumentType {
    guard let type = sampleType as? HKDocumentType else {
      fatalError("A document sample's type must be a document type.")
    }
    return type
  }
}

/// Where an error about a document says in detail what is wrong with it.
public let HKDetailedCDAValidationErrorKey = "HKDetailedCDAValidationErrorKey"
