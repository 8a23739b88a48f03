import Foundation
import HealthStore

// The elements of samples, correlations, hearing tests, prescriptions and clinical records.
extension ExportDocument {
  /// Writes a quantity or category sample.
  func writeRecord(_ object: StoredObject, _ type: String) throws {
    let isKept = object.sample != nil || object.unit != 0 || RecordConverter.isCategory(type)
    if options.isPlain, !isKept { return note(left: type) }
    try writeRecordElement(object, type, isMember: false)
    note(written: type)
    try writeChildren(of: object)
  }

  func writeRecordElement(
    _ object: StoredObject, _ type: String, isMember: Bool
  ) throws {
    let isCategory =
      object.sample is HKCategorySample
      || (object.sample == nil && object.unit == 0 && RecordConverter.isCategory(type))
    var metadata = try objects.metadata(of: object)
    markup.raw(isMember ? "  <Record" : " <Record")
    markup.attribute("type", type)
    writeOrigin(object)
    if !isCategory { markup.attribute("unit", unit(of: object)) }
    writeDates(object)
    if isCategory {
      let name = metadata.removeValue(forKey: RecordConverter.categoryNameKey) as? String
      markup.attribute("value", name ?? Self.text(object))
    } else {
      markup.attribute("value", number: object.value)
    }
    if isMember {
      markup.raw(">\n")
    } else {
      let isEscaped = StoredText.escaped(type) != type
      endStartTag(object, type: isEscaped ? type : nil, isNumber: !isCategory)
    }
    writeMetadata(metadata)
    if !isMember, type == HKQuantityTypeIdentifier.heartRateVariabilitySDNN.rawValue {
      try writeHeartbeats(of: object)
    }
    if !isMember, let sample = object.sample as? HKQuantitySample, sample.count > 1 {
      note(.seriesValues)
    }
    markup.raw(isMember ? "  </Record>\n" : " </Record>\n")
  }

  private static func text(_ object: StoredObject) -> String {
    guard let sample = object.sample as? HKCategorySample else {
      return MarkupWriter.text(object.value)
    }
    return CategoryValueNames.name(of: sample.value, for: sample.categoryType)
      ?? "\(sample.value)"
  }

  /// Writes a correlation with its records, which also appear at top level.
  func writeCorrelation(_ object: StoredObject, _ type: String) throws {
    markup.raw(" <Correlation")
    markup.attribute("type", type)
    writeOrigin(object)
    writeDates(object)
    endStartTag(object, type: nil)
    writeMetadata(try objects.metadata(of: object))
    for uuid in try objects.members(of: object) {
      // A member may have been deleted.
      guard let member = try objects.object(uuid), let sample = member.sample else { continue }
      try writeRecordElement(member, sample.sampleType.identifier, isMember: true)
      try flushIfFull()
    }
    markup.raw(" </Correlation>\n")
    note(written: type)
    try writeChildren(of: object)
  }

  /// Writes a hearing test.
  func write(_ audiogram: HKAudiogramSample, _ object: StoredObject, _ type: String) throws {
    markup.raw(" <Audiogram")
    markup.attribute("type", type)
    writeOrigin(object)
    writeDates(object)
    endStartTag(object, type: type)
    writeMetadata(try objects.metadata(of: object))
    for point in audiogram.sensitivityPoints {
      let frequency = point.frequency.texts
      markup.raw("  <SensitivityPoint")
      markup.attribute("frequencyValue", frequency.number)
      markup.attribute("frequencyUnit", frequency.unit)
      for (ear, side) in [("leftEar", HKAudiogramSensitivityTestSide.left), ("rightEar", .right)] {
        guard let test = point.tests.first(where: { $0.side == side }) else { continue }
        let sensitivity = test.sensitivity.texts
        markup.attribute(named: ear + "Value", sensitivity.number)
        markup.attribute(named: ear + "Unit", sensitivity.unit)
        markup.attribute(named: ear + "Masked", test.masked ? "1" : "0")
        let range = test.clampingRange
        markup.attribute(
          named: ear + "ClampingRangeLowerBound", range?.lowerBound?.texts.number)
        markup.attribute(
          named: ear + "ClampingRangeUpperBound", range?.upperBound?.texts.number)
      }
      markup.raw("/>\n")
    }
    markup.raw(" </Audiogram>\n")
    note(written: type)
    try writeChildren(of: object)
  }

  /// Writes a vision prescription.
  func write(
    _ prescription: HKVisionPrescription, _ object: StoredObject, _ type: String
  ) throws {
    let contacts = prescription as? HKContactsPrescription
    let glasses = prescription as? HKGlassesPrescription
    let issued = DateText(object.start)
    let expiration = prescription.expirationDate.map {
      DateText($0.timeIntervalSinceReferenceDate)
    }
    markup.raw(" <VisionPrescription")
    markup.attribute("type", contacts == nil ? "glasses" : "contacts")
    markup.attribute("dateIssued", date: issued)
    markup.attribute("expirationDate", expiration?.text)
    markup.attribute("brand", contacts.flatMap { $0.brand.isEmpty ? nil : $0.brand })
    if !issued.isExact || expiration?.isExact == false { note(.exactDates) }
    note(.provenance)
    endStartTag(object, type: type, hasDates: false)
    writeLens("RightEye", glasses?.rightEye ?? contacts?.rightEye)
    writeLens("LeftEye", glasses?.leftEye ?? contacts?.leftEye)
    writeMetadata(try objects.metadata(of: object))
    markup.raw(" </VisionPrescription>\n")
    note(written: type)
    try writeChildren(of: object)
  }

  private func writeLens(_ element: StaticString, _ lens: HKLensSpecification?) {
    guard let lens else { return }
    let (glasses, contacts) = (
      lens as? HKGlassesLensSpecification, lens as? HKContactsLensSpecification
    )
    let values: [(String, HKQuantity?)] = [
      ("sphere", lens.sphere), ("cylinder", lens.cylinder), ("axis", lens.axis),
      ("add", lens.addPower), ("vertex", glasses?.vertexDistance),
      ("prismAmount", glasses?.prism?.amount), ("prismAngle", glasses?.prism?.angle),
      ("farPD", glasses?.farPupillaryDistance), ("nearPD", glasses?.nearPupillaryDistance),
      ("baseCurve", contacts?.baseCurve), ("diameter", contacts?.diameter),
    ]
    markup.raw("  <")
    markup.raw(element)
    for (name, quantity) in values {
      let texts = quantity?.texts
      markup.attribute(named: name, texts?.number)
      markup.attribute(named: name + "Unit", texts?.unit)
    }
    markup.raw("/>\n")
  }

  /// Writes a clinical record and the file of its resource.
  func write(_ record: HKClinicalRecord, _ object: StoredObject, _ type: String) throws {
    guard let resource = record.fhirResource else { return try writeOther(object, type) }
    let file = unusedName(
      "clinical-records/\(resource.resourceType.rawValue.nameInFiles)-\(object.uuid.uuidString)",
      ".json")
    try folder.write(file, [UInt8](resource.data))
    markup.raw(" <ClinicalRecord")
    markup.attribute("type", resource.resourceType.rawValue)
    markup.attribute("identifier", resource.identifier)
    markup.attribute("sourceName", objects.sourceRevision(of: object).source.name)
    markup.attribute("sourceURL", resource.sourceURL?.absoluteString ?? "")
    markup.attribute("fhirVersion", resource.fhirVersion.stringRepresentation)
    markup.attribute("receivedDate", date: DateText(object.start))
    markup.attribute("resourceFilePath", "/" + file)
    if object.start != object.end || !DateText(object.start).isExact { note(.exactDates) }
    note(.provenance)
    if try !objects.metadata(of: object).isEmpty { note(.metadata) }
    endStartTag(object, type: type, hasDates: false, file: file)
    markup.raw(" </ClinicalRecord>\n")
    note(written: type)
    try writeChildren(of: object)
  }
}

extension String {
  /// The ASCII letters and hyphens of the text, at most 64, which are a valid name in any file
  /// system.
  var nameInFiles: String {
    let good = unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "-") }
    return good.isEmpty ? "Resource" : String(String.UnicodeScalarView(good.prefix(64)))
  }
}
