import Foundation
import HealthStore

// Imports heartbeats, hearing tests, prescriptions and clinical records.
extension ExportImporter {
  /// Imports the heartbeats of a heart rate variability as a series with the same source and time.
  func takeHeartbeats(of record: ExportRecord, at offset: Int64) {
    let type = HKSeriesType.heartbeat().identifier
    let earlier = identities.earlier?.content(
      ofSeries: type, record.origin, record.startDate, record.endDate, count: record.beats.count)
    note(at: offset) { () throws(ImportRejection) in
      let beats = HeartbeatTimes(record.beats, start: record.startDate, end: record.endDate)
      guard let beats, let last = beats.times.last else {
        throw .unstorable(type, "the heartbeats have no times within it.")
      }
      let count = beats.times.count
      guard count <= HKHeartbeatSeriesBuilder.maximumCount else {
        throw .unstorable(type, "it has \(count) heartbeats.")
      }
      let start = record.startDate.addingTimeInterval(beats.shift)
      var sample = try converter.sample(
        type, start, max(record.endDate, start.addingTimeInterval(last)), 0, nil, record.origin,
        [])
      identify(&sample, contents(of: sample, .count(count), earlier: earlier))
      sample.payload = HeartbeatSeriesPayload(count: count)
      sample.children = PointChunk.chunks(.heartbeats, columns: [beats.times, beats.gaps])
      add(sample, at: offset)
    }
  }

  /// Imports a hearing test.
  ///
  /// An invalid point is skipped and reported in the summary.
  func take(_ audiogram: ExportAudiogram, at offset: Int64) {
    let type = HKObjectType.audiogramSampleType()
    let earlier = identities.earlier?.content(
      ofSeries: type.identifier, audiogram.origin, audiogram.startDate, audiogram.endDate,
      count: audiogram.points.count)
    var points: [HKAudiogramSensitivityPoint] = []
    for entries in audiogram.points {
      note(at: offset) { () throws(ImportRejection) in
        points.append(try SensitivityPointFields(entries).point)
      }
    }
    note(at: offset) { () throws(ImportRejection) in
      var sample = try converter.sample(
        type.identifier, audiogram.startDate, audiogram.endDate, 0, nil, audiogram.origin,
        audiogram.metadata)
      identify(&sample, contents(of: sample, .count(points.count), earlier: earlier))
      let payload = AudiogramPayload(byFrequency: points)
      try check(payload, of: type, sample)
      sample.payload = payload
      add(sample, at: offset)
    }
  }

  /// Imports a prescription for glasses or contact lenses.
  func take(_ prescription: ExportVisionPrescription, at offset: Int64) {
    let type = HKObjectType.visionPrescriptionType()
    let earlier = identities.earlier?.content(ofType: type.identifier, prescription.texts)
    if !prescription.attachments.isEmpty {
      summary.noteUnrepresented(
        "attachments of vision prescriptions", count: prescription.attachments.count, at: offset)
    }
    note(at: offset) { () throws(ImportRejection) in
      let fields = try VisionPrescriptionFields(prescription)
      // The element does not name the source.
      let origin = ExportOrigin(sourceName: Self.sourceName)
      var sample = try converter.sample(
        type.identifier, fields.dateIssued, fields.dateIssued, 0, nil, origin,
        prescription.metadata)
      let numbers = try fields.numbers
      identify(&sample, contents(of: sample, .numbers(numbers), earlier: earlier))
      let payload = try fields.payload
      try check(payload, of: type, sample)
      sample.payload = payload
      add(sample, at: offset)
    }
  }

  /// Imports a clinical record with the file of its resource.
  ///
  /// If the file cannot be read, the record is skipped and the file is reported, so that a later
  /// import can add the complete record.
  func take(clinicalRecord entries: [ExportEntry], at offset: Int64) {
    note(at: offset) { () throws(ImportRejection) in
      let fields = try ClinicalRecordFields(entries)
      let earlier = identities.earlier?.content(ofType: ClinicalRecordFields.name, fields.texts)
      guard let bytes = readFile(fields.path, limit: ClinicalRecordFields.byteLimit) else { return }
      let resource = ClinicalResource(bytes)
      let type = try fields.type(of: resource)
      var sample = try converter.sample(
        type.identifier, fields.receivedDate, fields.receivedDate, 0, nil, fields.origin, [])
      identify(&sample, contents(of: sample, .texts(fields.identity), earlier: earlier))
      sample.payload = ClinicalRecordPayload(
        displayName: resource.displayName ?? fields.resourceType ?? fields.identifier,
        resource: fields.resource(resource, bytes))
      waitingBytes += bytes.count
      add(sample, at: offset)
    }
  }

  /// The source name of objects whose source an export does not name.
  static let sourceName = "Apple Health Export"

  private func check(
    _ payload: some SamplePayload, of type: HKSampleType, _ sample: IncomingSample
  ) throws(ImportRejection) {
    do throws(HKInvalidSampleError) {
      try payload.check(type, start: sample.start, end: sample.end)
    } catch {
      throw .unstorable(type.identifier, error.description)
    }
  }
}

extension ExportVisionPrescription {
  /// The texts that identify the prescription in earlier versions.
  fileprivate var texts: [String?] {
    let eyes = [rightEye, leftEye].flatMap { entries in
      ["eye"] + entries.flatMap { [$0.key, $0.value] }
    }
    return [type, dateIssued, expirationDate, brand] + eyes
  }
}

extension ImportRejection {
  /// Returns the rejection of an item, or of a part of one, that the store cannot represent.
  static func unstorable(_ type: String, _ reason: String) -> ImportRejection {
    ImportRejection(problem: .unstorable(type: type, reason: reason))
  }
}
