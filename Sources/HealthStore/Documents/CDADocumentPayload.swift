import Foundation
import SampleLog

/// The payload of a clinical document.
///
/// Format: a version byte, the title, the patient, the author, the custodian, and the optional
/// bytes of the document.
struct CDADocumentPayload: SamplePayload {
  static let kind: UInt64 = 12
  private static let version: UInt8 = 1

  let header: CDAHeader
  /// The bytes of the document, or nil if a query omitted them.
  ///
  /// A stored row always has them.
  var data: Data?

  init(header: CDAHeader, data: Data?) {
    self.header = header
    self.data = data
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(header.title)
    writer.text(header.patientName)
    writer.text(header.authorName)
    writer.text(header.custodianName)
    writer.optional(data) { $0.string([UInt8]($1)) }
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let title = reader.text(), let patient = reader.text(),
      let author = reader.text(), let custodian = reader.text(),
      let data = reader.optional({ $0.string() }), reader.isAtEnd
    else { return nil }
    self.init(
      header: CDAHeader(
        title: title, patientName: patient, authorName: author, custodianName: custodian),
      data: data.map { Data($0) })
  }

  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    guard data != nil else {
      throw .invalidContents(type: type.identifier, reason: "a query left its document out.")
    }
  }
}
