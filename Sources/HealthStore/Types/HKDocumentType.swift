/// The type of samples that hold a document.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a document type.
  public convenience init(_ identifier: HKDocumentTypeIdentifier) {
    guard let known = HKObjectType.documentType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no document type")
    }
    self.init(info: known.info)
  }
}
