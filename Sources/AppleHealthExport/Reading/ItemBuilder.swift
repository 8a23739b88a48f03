import HealthStore

/// Puts elements together to items: the state between a start tag and its end tag.
struct ItemBuilder {
  /// Where the item being built starts, or where the last one ended.
  private(set) var itemStart: Int64 = 0
  /// The element that the item is.
  private var itemElement = ExportElement.unknown
  /// Whether the item is above a limit: half of it would have another identity than the whole.
  private var isDropping = false

  private var record: ExportRecord?
  /// The place where the record starts, and the bytes of records delivered before their workout.
  private var recordStart: Int64 = 0
  private var deliveredBytes: Int64 = 0
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
  /// The workout of this library's own inside which a record of its own began: it was not closed.
  private var suspended: (element: ExportElement, item: ExportStoredItem?)?

  /// Takes in a start tag; the item is one that is complete with it.
  mutating func start(
    _ element: ExportElement, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) -> ExportItem? {
    // Only a child of the root can make an item grow; everything else is part of one.
    if scanner.depth <= 2 {
      itemStart = scanner.tagOffset
      itemElement = element
      isDropping = false
      deliveredBytes = 0
    }
    if let limit = scanner.exceeded { drop(limit, &summary) }
    // A record is delivered even if the workout around it is dropped.
    let isPart = element == .record && scanner.container?.isInWorkout == true
    if isDropping, record == nil, !isPart || scanner.exceeded != nil { return nil }
    var fields = FieldReader(element: element)
    defer { fields.note(in: &summary, scanner) }
    if version != nil, startStored(&fields, &scanner) { return nil }
    if !element.isAccepted(in: scanner.parent) {
      misplaced(&fields, &scanner, &summary)
      return nil
    }
    switch element {
    case .record:
      return startRecord(&fields, &scanner, &summary)
    case .metadataEntry:
      if let entry = fields.entry(&scanner), !add(entry, to: scanner.parent) {
        misplaced(&fields, &scanner, &summary)
      }
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
        if scanner.parent == .workout {
          workout?.statistics.append(statistics)
        } else {
          activity?.statistics.append(statistics)
        }
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
    if isDropping {
      if record.take() != nil {
        summary.note(.init(limit), in: ExportElement.record.name.description, at: recordStart)
      }
      return
    }
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

  /// Whether more is being built than fits into memory, when the reader is at an offset.
  func isTooLong(at offset: Int64) -> Bool {
    // Looking at the record copies it, and few items are that long.
    guard offset - itemStart > Int64(ExportLimit.itemBytes.maximum) else { return false }
    if isDropping, record == nil { return false }
    let start = isDropping ? recordStart : itemStart + deliveredBytes
    return offset - start > Int64(ExportLimit.itemBytes.maximum)
  }

  /// Takes in an end tag before an offset; the item is the one that it completes.
  mutating func end(
    _ element: ExportElement, _ parent: ExportElement?, at offset: Int64,
    _ summary: inout ExportSummary
  ) -> ExportItem? {
    if let own = storedElement {
      let isOwn = parent == .healthData || (suspended != nil && parent == .workout)
      guard own == element, isOwn else { return nil }
      let item = stored.take()
      (storedElement, stored) = (suspended?.element, suspended?.item)
      suspended = nil
      return item.map { .stored($0) }
    }
    switch element {
    case .record:
      var ended: ExportRecord?
      // `take()` copies it and destroys the original.
      swap(&ended, &record)
      guard let taken = ended else { return nil }
      let item = place(taken, parent, &summary)
      if item != nil, parent?.isInWorkout == true { deliveredBytes += offset - recordStart }
      return item
    case .correlation:
      return correlation.take().map { .correlation($0) }
    case .workout:
      return workout.take().map { .workout($0) }
    case .audiogram:
      return audiogram.take().map { .audiogram($0) }
    case .visionPrescription:
      return vision.take().map { .visionPrescription($0) }
    case .workoutEvent:
      if let event = event.take() {
        // The events of an activity that cannot be read are the workout's.
        if parent == .workoutActivity, activity != nil {
          activity?.events.append(event)
        } else {
          workout?.events.append(event)
        }
      }
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
      guard let own = storedElement else { return false }
      if fields.element == .storedPart { storedReader.add(&fields, scanner, to: &stored) }
      if fields.element == .record, scanner.parent == .workout,
        scanner.value("store:uuid") != nil
      {
        suspended = (own, stored)
        storedElement = .record
        stored = storedReader.item(&fields, &scanner)
      }
      return true
    }
    storedElement = nil
    suspended = nil
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
    var unclosed: ExportItem?
    if let taken = record.take() { unclosed = place(taken, scanner.container, &summary) }
    recordStart = scanner.tagOffset
    record = fields.record(&scanner)
    return unclosed
  }

  private mutating func place(
    _ record: consuming ExportRecord, _ parent: ExportElement?, _ summary: inout ExportSummary
  ) -> ExportItem? {
    guard let parent, parent.holdsRecords else { return .record(record) }
    if parent == .correlation {
      // In a correlation that could not be read a record goes with it: its twin is at top level.
      correlation?.records.append(record)
      summary.correlatedRecords += 1
      return nil
    }
    var record = record
    record.isPart = true
    guard Self.efforts.contains(record.type), workout != nil else { return .record(record) }
    if activity != nil {
      activity?.efforts.append(record)
    } else {
      workout?.efforts.append(record)
    }
    return nil
  }

  private static let efforts = WorkoutEffortPayload.sampleTypes.map(\.identifier)

  /// Notes an element that has no meaning where it stands: inside one that this version does not
  /// know it is as unknown as that.
  private func misplaced(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) {
    if scanner.parent == .unknown {
      summary.countUnknown(scanner.elementName())
    } else {
      fields.problem = fields.problem ?? .misplaced
    }
  }

  /// Adds metadata, and says whether the element has any.
  private mutating func add(_ entry: ExportEntry, to parent: ExportElement?) -> Bool {
    switch parent {
    case .record: record?.metadata.append(entry)
    case .correlation: correlation?.metadata.append(entry)
    case .workout: workout?.metadata.append(entry)
    case .workoutEvent: event?.metadata.append(entry)
    case .workoutActivity: activity?.metadata.append(entry)
    case .workoutRoute: route?.metadata.append(entry)
    case .audiogram: audiogram?.metadata.append(entry)
    case .visionPrescription: vision?.metadata.append(entry)
    default: return false
    }
    return true
  }
}

extension ExportElement {
  fileprivate var isWorkout: Bool { self == .workout || self == .workoutActivity }

  /// Whether this element means something in that one.
  ///
  /// The document type of an export says less than its elements have: activities of iOS 26 have
  /// events and statistics.
  fileprivate func isAccepted(in parent: ExportElement?) -> Bool {
    switch self {
    case .instantaneousBeatsPerMinute: parent == .heartRateVariabilityMetadataList
    case .heartRateVariabilityMetadataList: parent == .record
    case .workoutEvent, .workoutStatistics, .workoutRoute: parent?.isWorkout == true
    case .workoutActivity: parent == .workout
    case .fileReference, .location: parent == .workoutRoute
    case .sensitivityPoint: parent == .audiogram
    case .rightEye, .leftEye, .attachment: parent == .visionPrescription
    default: true
    }
  }
}

extension ExportSummary {
  mutating func countUnknown(_ name: String) {
    let known = unknownElements[name] != nil || unknownElements.count < 256
    unknownElements[known ? name : "", default: 0] += 1
  }
}
