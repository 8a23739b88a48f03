import Foundation
import HealthStore

extension FuzzTarget {
  /// Clinical documents: the header is parsed.
  static let clinicalDocument = FuzzTarget(name: "ClinicalDocument", maximumLength: 4096) { bytes in
    let (data, date) = (Data(bytes), Date(timeIntervalSinceReferenceDate: 0))
    do {
      let sample = try HKCDADocumentSample(data: data, start: date, end: date, metadata: nil)
      if sample.document?.documentData != data { fail("a document is not as it came") }
    } catch let error as HKError {
      if error.userInfo[HKDetailedCDAValidationErrorKey] == nil { fail("an error without detail") }
    } catch {
      fail("\(error)")
    }
  } seeds: {
    [
      "<?xml version='1.0'?><ClinicalDocument><title>A &amp; B&#33;</title></ClinicalDocument>",
      "<c:ClinicalDocument a='b'><!-- c --><c:author><c:assignedAuthor><c:assignedPerson><c:name>"
        + "<![CDATA[D]]></c:name></c:assignedPerson></c:assignedAuthor></c:author>"
        + "</c:ClinicalDocument>", "<ClinicalDocument/>",
    ].enumerated().map { Seed("document-\($0.offset)", Array($0.element.utf8)) }
  }
}
