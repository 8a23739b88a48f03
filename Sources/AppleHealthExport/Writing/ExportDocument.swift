import Foundation
import HealthStore

/// The document of an export being written, and the files that accompany it.
final class ExportDocument {
  let objects: StoredObjects
  let folder: ExportFolder
  let options: ExportWriter.Options
  private let output: ExportFileOutput
  var markup = MarkupWriter()
  private(set) var summary = WritingSummary()

  /// The routes of workouts, which the workouts' elements reference.
  var routes: [UUID: [RouteReference]] = [:]
  /// Heartbeat series by their start in whole seconds.
  var heartbeats: [Double: [HeartbeatReference]] = [:]
  /// The number of files with each base name.
  private var names: [String: Int] = [:]

  /// The symbols of source, device and unit that many objects of one type share.
  struct Origin: Hashable {
    var source: UInt32
    var device: UInt32
    var unit: UInt32
  }

  /// The encoded attributes of an origin.
  struct OriginText {
    var apple: [UInt8]
    var own: [UInt8]
    /// Whether Apple's attributes represent the origin completely.
    var isWhole: Bool
    /// Whether characters in Apple's attributes were replaced.
    var hasReplaced: Bool
  }

  var origins: [Origin: OriginText] = [:]

  private static let pieceSize = 256 << 10

  init(
    _ objects: StoredObjects, _ folder: ExportFolder, _ options: ExportWriter.Options
  ) throws {
    self.objects = objects
    self.folder = folder
    self.options = options
    output = try folder.create(ExportFolder.unfinishedName)
  }

  func write(_ store: HKHealthStore) throws {
    begin()
    let settings = try store.storedSettings()
    try writeCharacteristics(of: store, settings)
    if !options.isPlain { try write(settings) }
    var types = Dictionary(grouping: objects.types) { Group(ofType: $0) }
    // Series come first, because records and workouts reference them.
    for type in types.removeValue(forKey: .series) ?? [] { try writeSeries(type) }
    for group in Group.allCases {
      if group == .activitySummary { try writeActivitySummaries(of: store) }
      for type in types[group] ?? [] {
        origins.removeAll()
        try objects.forEach(type) { object in
          try write(object, type)
          try flushIfFull()
        }
      }
    }
    for references in heartbeats.values {
      for reference in references where !reference.isWritten {
        note(left: HKSeriesType.heartbeat().identifier)
      }
    }
    markup.raw("</HealthData>\n")
    try flush()
    try output.finish()
  }

  private func begin() {
    markup.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: 14 -->
      ]>
      <HealthData locale="en_US"
      """)
    if !options.isPlain {
      markup.raw(" xmlns:store=\"urn:swift-health-store:export\"")
      markup.attribute("store:version", StoredItemReader.version)
    }
    markup.raw(">\n <ExportDate")
    markup.attribute("value", date: DateText(options.date.timeIntervalSinceReferenceDate))
    markup.raw("/>\n")
  }

  func flushIfFull() throws { if markup.bytes.count >= Self.pieceSize { try flush() } }

  private func flush() throws {
    try output.write(markup.bytes)
    markup.removeAll()
  }

  // Counts of the outcome for each object.

  func note(written type: String) { summary.types[type, default: 0] += 1 }

  func note(left type: String) {
    if options.isPlain { summary.unrepresented[type, default: 0] += 1 }
  }

  func note(_ loss: ExportLoss, count: Int = 1) {
    if options.isPlain { summary.note(loss, count: count) }
  }

  /// Returns an unused file name: further files with the same base name are numbered from 2.
  func unusedName(_ name: String, _ suffix: String) -> String {
    let count = names[name, default: 0] + 1
    names[name] = count
    return count == 1 ? name + suffix : "\(name)_\(count)\(suffix)"
  }
}

extension ExportDocument {
  /// The groups of types, in document order.
  enum Group: CaseIterable {
    case record, other, series, correlation, workout, activitySummary, clinicalRecord, audiogram
    case visionPrescription

    init(ofType identifier: String) {
      switch HKObjectType.make(identifier: identifier) {
      case is HKQuantityType, is HKCategoryType, nil: self = .record
      case is HKCorrelationType: self = .correlation
      case is HKWorkoutType: self = .workout
      case is HKClinicalType: self = .clinicalRecord
      case is HKAudiogramSampleType: self = .audiogram
      case is HKPrescriptionType: self = .visionPrescription
      case is HKSeriesType, is HKElectrocardiogramType: self = .series
      default: self = .other
      }
    }
  }

  /// A route that a workout's element references.
  struct RouteReference {
    var uuid: UUID
    var file: String
  }

  /// A heartbeat series that a record's element may contain.
  struct HeartbeatReference {
    var uuid: UUID
    var end: Double
    var source: UInt32
    var isWritten = false
  }

  private func write(_ object: StoredObject, _ type: String) throws {
    let replaced = markup.replaced
    defer { if markup.replaced > replaced { note(.characters) } }
    switch object.sample {
    case is HKQuantitySample, is HKCategorySample, nil: try writeRecord(object, type)
    case is HKCorrelation: try writeCorrelation(object, type)
    case let workout as HKWorkout: try writeWorkout(workout, object, type)
    case let record as HKClinicalRecord: try write(record, object, type)
    case let audiogram as HKAudiogramSample: try write(audiogram, object, type)
    case let prescription as HKVisionPrescription: try write(prescription, object, type)
    default: try writeOther(object, type)
    }
  }
}
