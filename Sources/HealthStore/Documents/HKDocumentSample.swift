/// A sample that holds a document.
///
/// Abstract: create an ``HKCDADocumentSample``.
open class HKDocumentSample: HKSample, @unchecked Sendable {
  /// The type of the document.
  open var documentType: HKDocumentType {
    guard let type = sampleType as? HKDocumentType else {
      fatalError("A document sample's type must be a document type.")
    }
    return type
  }
}

/// The user info key for the detailed reason why a document is invalid.
public let HKDetailedCDAValidationErrorKey = "HKDetailedCDAValidationErrorKey"
