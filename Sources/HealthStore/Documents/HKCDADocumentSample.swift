public import Foundation

/// A document in the Clinical Document Architecture.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
  /// Creates a sample from a document, from which the title and the names are read.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the data is not well-formed UTF-8 XML
  ///   with the root `ClinicalDocument`; its user info holds the detail under
  ///   `HKDetailedCDAValidationErrorKey`. Throws ``HKInvalidSampleError`` if the dates are not
  ///   finite or not in order, or if the metadata cannot be stored. Unlike HealthKit, this does
  ///   not validate the document against the schema of the standard.
  public convenience init(
    data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
  ) throws {
    self.init(built: try Self.build(documentData, startDate, endDate, metadata, nil))
  }

  /// Creates a sample from a document that another source recorded.
  ///
  /// This is an addition to HealthKit. `sourceRevision` is that source.
  ///
  /// - Throws: The same errors as the initialiser.
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

  /// The document, or nil in the results of queries other than ``HKDocumentQuery``.
  open var document: HKCDADocument? {
    built == nil ? nil : HKCDADocument(payload(CDADocumentPayload.self))
  }

  /// The header fields, which predicates use.
  ///
  /// They are available even if `document` is nil.
  final var header: CDAHeader { payload(CDADocumentPayload.self).header }

  override class var payloadType: (any SamplePayload.Type)? { CDADocumentPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is CDADocumentPayload
  }

  /// Returns a copy of the sample with its document, optionally including the document's data.
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
  /// The unmodified bytes of the document, or nil if the query omitted them.
  public let documentData: Data?

  /// The document's title, or an empty string if it has none.
  public let title: String

  /// The patient's name, or an empty string if the document does not specify one.
  public let patientName: String

  /// The author's name, or an empty string if the document does not specify one.
  public let authorName: String

  /// The name of the organisation that maintains the document, or an empty string if the document
  /// does not specify one.
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
