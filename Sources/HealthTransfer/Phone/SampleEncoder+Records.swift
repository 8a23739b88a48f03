import Foundation
import HealthKit

// Encodes records, such as documents, prescriptions and doses.
@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
extension SampleEncoder {
  /// Returns the encoded contents of a record apart from dates, source and metadata; nil for an
  /// unsupported type.
  func contents(ofRecord sample: HKSample) throws -> [UInt8]? {
    var writer = WireWriter()
    writer.byte(1)
    switch sample {
    case let sample as HKAudiogramSample: writer.audiogram(sample)
    case let sample as HKContactsPrescription:
      writer.prescription(sample, brand: sample.brand)
      for eye in [sample.rightEye, sample.leftEye] {
        writer.optional(eye) { writer, lens in
          writer.lens(lens)
          writer.optional(lens.baseCurve, in: .millimetre)
          writer.optional(lens.diameter, in: .millimetre)
        }
      }
    case let sample as HKGlassesPrescription:
      writer.prescription(sample, brand: "")
      for eye in [sample.rightEye, sample.leftEye] {
        writer.optional(eye) { writer, lens in
          writer.lens(lens)
          writer.optional(lens.vertexDistance, in: .millimetre)
          writer.optional(lens.prism) { $0.prism($1) }
          writer.optional(lens.farPupillaryDistance, in: .millimetre)
          writer.optional(lens.nearPupillaryDistance, in: .millimetre)
        }
      }
    case let sample as HKStateOfMind:
      writer.signed(sample.kind.rawValue)
      writer.fixed(sample.valence)
      writer.list(sample.labels) { $0.signed($1.rawValue) }
      writer.list(sample.associations) { $0.signed($1.rawValue) }
    case let sample as HKGAD7Assessment:
      writer.list(sample.answers) { $0.byte(UInt8(clamping: $1.rawValue)) }
    case let sample as HKPHQ9Assessment:
      writer.list(sample.answers) { $0.byte(UInt8(clamping: $1.rawValue)) }
    case let sample as HKClinicalRecord: writer.record(sample)
    default:
      guard #available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *),
        let sample = sample as? HKMedicationDoseEvent
      else { return nil }
      try writer.dose(sample)
    }
    return writer.bytes
  }

  /// Returns the encoded contents of a document, which only a document query returns in full; nil
  /// if it was deleted.
  func contents(of sample: HKCDADocumentSample) async throws -> [UInt8]? {
    guard let type = sample.sampleType as? HKDocumentType else { return nil }
    let store = store
    let predicate = HKQuery.predicateForObject(with: sample.uuid)
    return try await withCheckedThrowingContinuation { continuation in
      let query = HKDocumentQuery(
        documentType: type, predicate: predicate, limit: 1, sortDescriptors: nil,
        includeDocumentData: true
      ) { query, documents, isDone, error in
        if let error { return continuation.resume(throwing: error) }
        let document = (documents?.first as? HKCDADocumentSample)?.document
        guard document != nil || isDone else { return }
        // With a limit of 1, the handler receives the document in a single call.
        if let document {
          store.stop(query)
          continuation.resume(returning: WireWriter.bytes(of: document))
        } else {
          continuation.resume(returning: nil)
        }
      }
      store.execute(query)
    }
  }
}

extension HKUnit {
  fileprivate static var millimetre: HKUnit { .meterUnit(with: .milli) }
}

@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
extension WireWriter {
  fileprivate static func bytes(of document: HKCDADocument) -> [UInt8]? {
    guard let data = document.documentData else { return nil }
    var writer = WireWriter()
    writer.byte(1)
    for text in [
      document.title, document.patientName, document.authorName, document.custodianName,
    ] { writer.text(text) }
    writer.byte(1)
    writer.string([UInt8](data))
    return writer.bytes
  }

  fileprivate mutating func audiogram(_ sample: HKAudiogramSample) {
    list(sample.sensitivityPoints) { writer, point in
      writer.quantity(point.frequency, in: .hertz())
      writer.list(point.tests) { writer, test in
        let (lower, upper) = (test.clampingRange?.lowerBound, test.clampingRange?.upperBound)
        writer.quantity(test.sensitivity, in: .decibelHearingLevel())
        writer.byte(UInt8(clamping: test.type.rawValue))
        writer.byte(UInt8(clamping: test.side.rawValue))
        writer.byte((test.masked ? 1 : 0) | (lower == nil ? 0 : 2) | (upper == nil ? 0 : 4))
        for bound in [lower, upper] {
          if let bound { writer.fixed(bound.doubleValue(for: .decibelHearingLevel())) }
        }
      }
    }
  }

  fileprivate mutating func prescription(_ sample: HKVisionPrescription, brand: String) {
    byte(UInt8(clamping: sample.prescriptionType.rawValue))
    optional(sample.expirationDate) { $0.date($1) }
    text(brand)
  }

  fileprivate mutating func lens(_ lens: HKLensSpecification) {
    quantity(lens.sphere, in: .diopter())
    optional(lens.cylinder, in: .diopter())
    optional(lens.axis, in: .degreeAngle())
    optional(lens.addPower, in: .diopter())
  }

  fileprivate mutating func prism(_ prism: HKVisionPrism) {
    byte(1)
    quantity(prism.verticalAmount, in: .prismDiopter())
    byte(UInt8(clamping: prism.verticalBase.rawValue))
    quantity(prism.horizontalAmount, in: .prismDiopter())
    byte(UInt8(clamping: prism.horizontalBase.rawValue))
    byte(UInt8(clamping: prism.eye.rawValue))
  }

  fileprivate mutating func record(_ sample: HKClinicalRecord) {
    text(sample.displayName)
    optional(sample.fhirResource) { writer, resource in
      let version = resource.fhirVersion
      for number in [version.majorVersion, version.minorVersion, version.patchVersion] {
        writer.signed(number)
      }
      writer.text(resource.resourceType.rawValue)
      writer.text(resource.identifier)
      writer.optional(resource.sourceURL?.absoluteString) { $0.text($1) }
      writer.string([UInt8](resource.data))
    }
  }

  /// Appends a dose event.
  ///
  /// HealthKit does not expose the names of medications, so the archive of the identifier is
  /// hashed.
  @available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
  fileprivate mutating func dose(_ event: HKMedicationDoseEvent) throws {
    let medication = event.medicationConceptIdentifier
    text(medication.domain.rawValue)
    text(try ArchivedForm.text(of: medication))
    byte(UInt8(clamping: event.logStatus.rawValue))
    let scheduled = event.scheduledDate.flatMap { date in
      event.scheduledDoseQuantity.map { (date, $0) }
    }
    optional(scheduled?.0) { $0.date($1) }
    optional(scheduled?.1) { $0.fixed($1) }
    optional(event.doseQuantity) { $0.fixed($1) }
    text(event.unit.unitString)
  }
}
