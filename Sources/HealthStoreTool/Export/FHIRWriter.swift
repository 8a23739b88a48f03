import Foundation
import HealthStore
import SampleLog

/// Writes FHIR R4 Observations, one per line.
final class FHIRWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private let objects: StoredObjects
  /// Whether pressures are written as components of their blood pressures.
  private let joinsPressures: Bool
  /// The samples that are components of blood pressures, loaded on first use.
  private var pressures: Set<UUID>?
  private var leftOut: [String: Int] = [:]
  private var leftOutDays = 0

  /// Creates a writer of samples of some types; an empty array means every type.
  init(_ words: RowWords, _ objects: StoredObjects, types: [String], _ sink: ExportSink) {
    self.words = words
    self.objects = objects
    self.sink = sink
    joinsPressures = types.isEmpty || types.contains(Self.bloodPressure)
  }

  private static let bloodPressure = HKCorrelationTypeIdentifier.bloodPressure.rawValue

  var losses: [String] {
    leftOut.sorted { $0.key < $1.key }.map { type, count in
      "\(Figures.count(count, "sample")) of \(type) left out, because FHIR has no Observation for "
        + "this type."
    }
      + (leftOutDays == 0
        ? []
        : [
          "\(Figures.count(leftOutDays, "activity summary", "activity summaries")) left out, "
            + "because FHIR has no Observation for this type."
        ])
  }

  func add(_ block: Block, _ row: Int) throws {
    let reference = Row(block, row)
    guard Self.isObservation(words.reader.type(of: reference)) else {
      leftOut[words.type(of: reference), default: 0] += 1
      return
    }
    if try isInBloodPressure(reference) { return }
    let object = try objects.object(of: reference)
    var result = begin(reference, status: "final", unit: try unit(of: object))
    let device = words.reader.device(of: reference)?.name ?? ""
    let source = words.reader.sourceRevision(of: reference).source.name
    addDates(of: object, to: &result)
    try addValue(of: object, reference, to: &result)
    let name = device.isEmpty ? source : device
    if !name.isEmpty {
      var display = JSONObject()
      display.add("display", name)
      result.add("device", display)
    }
    append(result)
  }

  func add(_ days: [ActivityDay], of choice: ActivityDays) throws {
    leftOutDays += days.count
  }

  func delete(_ change: Change) throws {
    // A sample that was not exported as an Observation needs no retraction.
    guard Self.isObservation(words.reader.type(of: change.row)) else { return }
    append(begin(change.row, status: "entered-in-error", unit: nil))
  }

  /// Writes a transaction bundle with a DELETE request, as a server's bulk export does.
  func erase(_ subject: String) throws {
    var query = URLComponents()
    query.queryItems = [
      FHIRText.isIdentifier(subject)
        ? URLQueryItem(name: "subject", value: "Patient/\(subject)")
        : URLQueryItem(
          name: "subject:identifier", value: "\(FHIRText.subjectSystem)|\(subject)")
    ]
    var request = JSONObject()
    request.add("method", "DELETE")
    request.add("url", "Observation?" + (query.percentEncodedQuery ?? ""))
    var entry = JSONObject()
    entry.add("request", request)
    var bundle = JSONObject()
    bundle.add("resourceType", "Bundle")
    bundle.add("type", "transaction")
    bundle.add("entry", [entry])
    append(bundle)
  }

  private func append(_ resource: JSONObject) {
    sink.text.append(resource.text)
    sink.text.append(literal: "\n")
  }

  private static func isObservation(_ type: HKSampleType?) -> Bool {
    switch type {
    case is HKQuantityType, is HKCategoryType, is HKCorrelationType, is HKWorkoutType,
      is HKElectrocardiogramType, is HKScoredAssessmentType, is HKStateOfMindType,
      is HKAudiogramSampleType, is HKSeriesType, nil:
      true
    default: false
    }
  }

  /// Returns whether a row is written as a component of another Observation.
  private func isInBloodPressure(_ row: Row) throws -> Bool {
    let type = words.reader.typeIdentifier(of: row)
    guard joinsPressures, FHIRCode.table[type]?.isPressure == true else { return false }
    let known = try pressures ?? objects.members(ofAll: Self.bloodPressure)
    pressures = known
    return known.contains(row.id.uuid)
  }

  private func unit(of object: StoredObject) throws -> HKUnit? {
    let name = objects.name(object.unit)
    return name.isEmpty ? nil : try HKUnit.parse(String(decoding: name, as: UTF8.self))
  }

  /// Returns the elements that all Observations have in common.
  private func begin(_ row: Row, status: String, unit: HKUnit?) -> JSONObject {
    let type = words.reader.typeIdentifier(of: row)
    let code = FHIRCode.code(type, unit: unit)
    let uuid = "\(row.id)".lowercased()
    var result = JSONObject()
    result.add("resourceType", "Observation")
    result.add("id", uuid)
    var identifier = JSONObject()
    identifier.add("system", "urn:ietf:rfc:3986")
    identifier.add("value", "urn:uuid:\(uuid)")
    result.add("identifier", [identifier])
    result.add("status", status)
    if let category = code?.category {
      var concept = JSONObject()
      concept.add("coding", [FHIRText.coding(FHIRText.categorySystem, category, nil)])
      result.add("category", [concept])
    }
    result.add("code", FHIRText.concept(type, words.type(of: row), code))
    if let subject = FHIRText.subject(words.reader.subject(of: row)) {
      result.add("subject", subject)
    }
    return result
  }

  private func addDates(of object: StoredObject, to result: inout JSONObject) {
    let (start, end) = (FHIRText.date(object.start), FHIRText.date(object.end))
    if object.start == object.end {
      if let start { result.add("effectiveDateTime", start) }
    } else if start != nil || end != nil {
      var period = JSONObject()
      period.add(ifAny: "start", start)
      period.add(ifAny: "end", end)
      result.add("effectivePeriod", period)
    }
  }

  private func addValue(
    of object: StoredObject, _ row: Row, to result: inout JSONObject
  ) throws {
    switch object.sample {
    case is HKQuantitySample, nil:
      guard let unit = try unit(of: object) else {
        if let name = try words.unknownValueName(row) { addValue(named: name, to: &result) }
        return
      }
      let identifier = words.reader.typeIdentifier(of: row)
      result.add(
        "valueQuantity",
        FHIRText.quantity(object.value, unit, FHIRCode.code(identifier, unit: unit)))
    case let sample as HKCategorySample:
      if let name = try words.unknownValueName(row) { return addValue(named: name, to: &result) }
      let name = CategoryValueNames.name(of: sample.value, for: sample.categoryType)
      let code = name ?? "\(sample.value)"
      var concept = JSONObject()
      concept.add("coding", [FHIRText.coding(FHIRText.typeSystem, code, nil)])
      result.add("valueCodeableConcept", concept)
    case is HKCorrelation: try addMembers(of: row, to: &result)
    case let workout as HKWorkout:
      addValue(named: workout.workoutActivityType.exportName, to: &result)
      let complete = try objects.sample(of: row) as? HKWorkout ?? workout
      result.add("component", FHIRText.components(of: WorkoutFigures(complete)))
    case is HKScoredAssessment: result.add("valueInteger", Int(object.value))
    default: break
    }
  }

  private func addValue(named name: String, to result: inout JSONObject) {
    var concept = JSONObject()
    concept.add("text", name)
    result.add("valueCodeableConcept", concept)
  }

  /// Adds pressures as components, and references to the other members of a correlation.
  private func addMembers(of row: Row, to result: inout JSONObject) throws {
    var components: [JSONObject] = []
    var references: [JSONObject] = []
    for uuid in try objects.members(of: row) {
      guard let row = try objects.row(uuid) else { continue }
      let type = words.reader.typeIdentifier(of: row)
      let member = try objects.object(of: row)
      if let code = FHIRCode.table[type], code.isPressure, let unit = try unit(of: member) {
        var component = JSONObject()
        component.add("code", FHIRText.concept(type, words.type(of: row), code))
        component.add("valueQuantity", FHIRText.quantity(member.value, unit, code))
        components.append(component)
      } else {
        var reference = JSONObject()
        reference.add("reference", "Observation/\(uuid.uuidString.lowercased())")
        references.append(reference)
      }
    }
    if !references.isEmpty { result.add("hasMember", references) }
    if !components.isEmpty { result.add("component", components) }
  }
}

extension FHIRCode {
  /// Whether the type is a component of a blood pressure.
  fileprivate var isPressure: Bool {
    codes.first.map { ["8480-6", "8462-4"].contains($0.code) } ?? false
  }
}
