/// Puts elements together to items: the state between a start tag and its end tag.
struct ItemBuilder {
  /// Where the item being built starts, or where the last one ended.
  private(set) var itemStart: Int64 = 0
  /// The element that the item is.
  private var itemElement = ExportElement.unknown
  /// Whether the item is above a limit: half of it would have another identity than the whole.
  private var isDropping = false

  private var record: ExportRecord?
  private var correlation: ExportCorrelation?
  private var workout: ExportWorkout?
  private var event: ExportWorkoutEvent?
  private var activity: ExportWorkoutActivity?
  private var route: ExportWorkoutRoute?
  private var audiogram: ExportAudiogram?
  private var vision: ExportVisionPrescription?

  /// The version of this library's own attributes that the document has; nil for Apple's exports.
  private(set) var version: String?
  private var storedReader = StoredItemReader()
  /// The item of this library's own that is being read, and its element also when it is dropped.
  private var stored: ExportStoredItem?
  private var storedElement: ExportElement?

  /// Takes in a start tag; the item is one that is complete with it.
  mutating func start(
    _ element: ExportElement, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) -> ExportItem? {
    // Only a child of the root can make an item grow; everything else is part of one.
    if scanner.depth <= 2 {
      itemStart = scanner.tagOffset
      itemElement = element
      isDropping = false
    }
    if let limit = scanner.exceeded { drop(limit, &summary) }
    if isDropping { return nil }
    var fields = FieldReader(element: element)
    defer { fields.note(in: &summary, scanner) }
    if version != nil, startStored(&fields, &scanner) { return nil }
    if let owner = element.owner, owner != scanner.parent {
      fields.problem = .misplaced
      return nil
    }
    switch element {
    case .record:
      return startRecord(&fields, &scanner, &summary)
    case .metadataEntry:
      if let entry = fields.entry(&scanner) { add(entry, to: scanner.parent, &fields) }
    case .instantaneousBeatsPerMinute:
      if let beat = fields.beat(&scanner) { record?.beats.append(beat) }
    case .heartRateVariabilityMetadataList:
      break
    case .healthData:
      version = scanner.string("store:version")
      return .locale(scanner.string("locale") ?? "")
    case .exportDate:
      return fields.date("value", &scanner).map { .exportDate($0) }
    case .me:
      return .characteristics(fields.all(&scanner))
    case .clinicalRecord:
      return .clinicalRecord(fields.all(&scanner))
    case .activitySummary:
      return .activitySummary(fields.activitySummary(&scanner))
    case .correlation:
      correlation = fields.correlation(&scanner)
    case .workout:
      workout = fields.workout(&scanner)
    case .workoutEvent:
      event = fields.workoutEvent(&scanner)
    case .workoutActivity:
      activity = fields.workoutActivity(&scanner)
    case .workoutRoute:
      route = fields.workoutRoute(&scanner)
    case .workoutStatistics:
      if let statistics = fields.workoutStatistics(&scanner) {
        workout?.statistics.append(statistics)
      }
    case .fileReference:
      route?.file = scanner.string("path")
    case .location:
      if let location = fields.location(&scanner) { route?.locations.append(location) }
    case .audiogram:
      audiogram = fields.audiogram(&scanner)
    case .sensitivityPoint:
      audiogram?.points.append(fields.all(&scanner))
    case .visionPrescription:
      vision = fields.visionPrescription(&scanner)
    case .rightEye:
      vision?.rightEye = fields.all(&scanner)
    case .leftEye:
      vision?.leftEye = fields.all(&scanner)
    case .attachment:
      if let identifier = scanner.string("identifier") { vision?.attachments.append(identifier) }
    case .unknown, .storedSample, .storedRow, .storedPart, .storedSetting:
      summary.countUnknown(scanner.elementName())
    }
    return nil
  }

  /// Gives up the item being built, of which something is above a limit, and names it.
  mutating func drop(_ limit: ExportLimit, _ summary: inout ExportSummary) {
    if isDropping { return }
    let start = itemStart
    let element = itemElement
    let version = version
    self = ItemBuilder()
    self.version = version
    itemStart = start
    itemElement = element
    isDropping = true
    summary.note(.init(limit), in: element.name.description, at: start)
  }

  /// Takes in an end tag; the item is the one that it completes.
  mutating func end(
    _ element: ExportElement, _ parent: ExportElement?, _ summary: inout ExportSummary
  ) -> ExportItem? {
    if let own = storedElement {
      guard own == element, parent == .healthData else { return nil }
      storedElement = nil
      return stored.take().map { .stored($0) }
    }
    switch element {
    case .record:
      return record.take().flatMap { place($0, parent, &summary) }
    case .correlation:
      return correlation.take().map { .correlation($0) }
    case .workout:
      return workout.take().map { .workout($0) }
    case .audiogram:
      return audiogram.take().map { .audiogram($0) }
    case .visionPrescription:
      return vision.take().map { .visionPrescription($0) }
    case .workoutEvent:
      if let event = event.take() { workout?.events.append(event) }
    case .workoutActivity:
      if let activity = activity.take() { workout?.activities.append(activity) }
    case .workoutRoute:
      if let route = route.take() { workout?.routes.append(route) }
    default:
      break
    }
    return nil
  }

  /// Takes in an element of this library's own, or inside one, and says whether it is one.
  private mutating func startStored(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> Bool {
    if scanner.depth > 2 {
      guard storedElement != nil else { return false }
      if fields.element == .storedPart { storedReader.add(&fields, scanner, to: &stored) }
      return true
    }
    storedElement = nil
    switch fields.element {
    // What they say follows from samples and settings.
    case .me, .activitySummary: return true
    case .storedSample, .storedRow, .storedSetting: break
    default: if scanner.value("store:uuid") == nil { return false }
    }
    storedElement = fields.element
    stored = storedReader.item(&fields, &scanner)
    return true
  }

  private mutating func startRecord(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) -> ExportItem? {
    // A record that was never closed ends where the next one starts.
    let around: ExportElement? = correlation == nil ? nil : .correlation
    let unclosed = record.take().flatMap { place($0, around, &summary) }
    record = fields.record(&scanner)
    return unclosed
  }

  private mutating func place(
    _ record: consuming ExportRecord, _ parent: ExportElement?, _ summary: inout ExportSummary
  ) -> ExportItem? {
    guard parent == .correlation else { return .record(record) }
    // In a correlation that could not be read a record goes with it: its twin is at top level.
    correlation?.records.append(record)
    summary.correlatedRecords += 1
    return nil
  }

  private mutating func add(
    _ entry: ExportEntry, to parent: ExportElement?, _ fields: inout FieldReader
  ) {
    switch parent {
    case .record: record?.metadata.append(entry)
    case .correlation: correlation?.metadata.append(entry)
    case .workout: workout?.metadata.append(entry)
    case .workoutEvent: event?.metadata.append(entry)
    case .workoutActivity: activity?.metadata.append(entry)
    case .workoutRoute: route?.metadata.append(entry)
    case .audiogram: audiogram?.metadata.append(entry)
    case .visionPrescription: vision?.metadata.append(entry)
    default: fields.problem = .misplaced
    }
  }
}

extension ExportElement {
  /// The only element that this one means something in; nil when it is not checked.
  fileprivate var owner: ExportElement? {
    switch self {
    case .instantaneousBeatsPerMinute: .heartRateVariabilityMetadataList
    case .heartRateVariabilityMetadataList: .record
    case .workoutEvent, .workoutStatistics, .workoutActivity, .workoutRoute: .workout
    case .fileReference, .location: .workoutRoute
    case .sensitivityPoint: .audiogram
    case .rightEye, .leftEye, .attachment: .visionPrescription
    default: nil
    }
  }
}

extension ExportSummary {
  mutating func countUnknown(_ name: String) {
    let known = unknownElements[name] != nil || unknownElements.count < 256
    unknownElements[known ? name : "", default: 0] += 1
  }
}
