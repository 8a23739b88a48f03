public import Foundation

/// A document in the Clinical Document Architecture.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
  /// Makes a sample of a document, whose title and names are read from it.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when the data is not well-formed XML in
  ///   UTF-8 with the root `ClinicalDocument`, and in its user info the detail under
  ///   `HKDetailedCDAValidationErrorKey`; ``HKInvalidSampleError`` for dates that are not finite or
  ///   not in order, and for metadata that cannot be stored. Unlike HealthKit it does not compare
  ///   the document with the schema of the standard.
  public convenience init(
    data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
  ) throws {
    self.init(built: try Self.build(documentData, startDate, endDate, metadata, nil))
  }

  /// Makes a sample of a document that somebody else recorded.
  ///
  /// Our addition. `sourceRevision` says who.
  ///
  /// - Throws: As the initialiser does.
  public static func validated(
    data: Data, start: Date, end: Date, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws -> HKCDADocumentSample {
    HKCDADocumentSample(built: try build(data, start, end, metadata, sourceRevision))
  }

  private static func build(
    _ data: Data, _ start: Date, _ end: Date, _ metadata: [String: Any]?,
    _ sourceRevision: HKSourceRevision?
  ) throws -> BuiltSample {
    let header = try CDAHeader(reading: [UInt8](data))
    return try BuiltSample(
      validating: HKDocumentType(.CDA), start: start, end: end,
      payload: CDADocumentPayload(header: header, data: data), device: nil, metadata: metadata,
      sourceRevision: sourceRevision)
  }

  /// The document; nil in what queries other than an ``HKDocumentQuery`` return.
  open var document: HKCDADocument? {
    built == nil ? nil : HKCDADocument(payload(CDADocumentPayload.self))
  }

  /// What predicates ask for, whether there is a document or not.
  final var header: CDAHeader { payload(CDADocumentPayload.self).header }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is CDADocumentPayload
  }

  /// The same object with its document, and with the document's data if that is wanted.
  final func opened(withData: Bool) -> HKCDADocumentSample {
    let fields = materialized
    var payload = payload(CDADocumentPayload.self)
    if !withData { payload.data = nil }
    return HKCDADocumentSample(
      built: BuiltSample(
        uuid: fields.uuid, sampleType: fields.sampleType, startDate: fields.startDate,
        endDate: fields.endDate, sourceRevision: fields.sourceRevision, device: fields.device,
        metadata: fields.metadata, payload: payload))
  }
}

/// The contents of a document in the Clinical Document Architecture.
open class HKCDADocument: NSObject, @unchecked Sendable {
  /// The document itself, byte by byte as it came; nil when a query left it out.
  public let documentData: Data?

  /// The document's title; empty when it has none.
  public let title: String

  /// Whom the document is about; empty when it does not say.
  public let patientName: String

  /// Who wrote the document; empty when it does not say.
  public let authorName: String

  /// Which organisation keeps the document; empty when it does not say.
  public let custodianName: String

  init(_ payload: CDADocumentPayload) {
    documentData = payload.data
    title = payload.header.title
    patientName = payload.header.patientName
    authorName = payload.header.authorName
    custodianName = payload.header.custodianName
    super.init()
  }
}
