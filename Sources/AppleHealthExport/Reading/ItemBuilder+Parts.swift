import HealthStore

/// Assignment of the elements that are not items to the elements that contain them.
extension ItemBuilder {
  /// Processes the start tag of an element that is not an item.
  mutating func startPart(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) {
    let element = fields.element
    if element == .healthData, scanner.depth == 1 {
      version = scanner.string("store:version")
      return
    }
    let isDropped = frames.last { $0.element.isItem }?.isDropped == true
    let parent = isDropped ? nil : parent(of: element)
    if element.isPartWithParts {
      begin(element, at: scanner.tagOffset)
      frames[frames.count - 1].isDropped = parent == nil
    }
    // The parts of a dropped item are ignored, so that the limit bounds memory.
    if isDropped { return }
    if [.unknown, .healthData, .storedPart].contains(element) {
      return summary.countUnknown(scanner.elementName())
    }
    guard let parent else {
      if element == .metadataEntry { _ = fields.entry(&scanner) }
      return misplaced(&fields, &scanner, &summary)
    }
    switch element {
    case .metadataEntry:
      if let entry = fields.entry(&scanner) { add(entry, to: frames[parent].element) }
    case .instantaneousBeatsPerMinute:
      if let beat = fields.beat(&scanner) { record?.beats.append(beat) }
    case .workoutEvent: event = fields.workoutEvent(&scanner)
    case .workoutActivity: activity = fields.workoutActivity(&scanner)
    case .workoutRoute: route = fields.workoutRoute(&scanner)
    case .workoutStatistics:
      guard let statistics = fields.workoutStatistics(&scanner) else { break }
      if frames[parent].element == .workout {
        workout?.statistics.append(statistics)
      } else {
        activity?.statistics.append(statistics)
      }
    case .fileReference:
      if route?.file != nil { return misplaced(&fields, &scanner, &summary) }
      route?.file = fields.required("path", &scanner)
    case .location:
      if let location = fields.location(&scanner) { route?.locations.append(location) }
    case .sensitivityPoint: audiogram?.points.append(fields.all(&scanner))
    case .rightEye:
      if vision?.rightEye.isEmpty == false { return misplaced(&fields, &scanner, &summary) }
      vision?.rightEye = fields.all(&scanner)
    case .leftEye:
      if vision?.leftEye.isEmpty == false { return misplaced(&fields, &scanner, &summary) }
      vision?.leftEye = fields.all(&scanner)
    case .attachment: vision?.attachments.append(scanner.string("identifier") ?? "")
    default: break
    }
  }

  /// Returns the nearest enclosing frame that can contain an element.
  private func parent(of part: ExportElement) -> Int? {
    // Other parts are identified by name, but metadata of another element would be wrong.
    if part == .metadataEntry {
      return frames.last.flatMap { $0.element.holds(part) ? frames.count - 1 : nil }
    }
    let nearest = frames.lastIndex { !$0.isStored && $0.element.holds(part) }
    // The events of an invalid activity are added to the workout.
    guard part == .workoutEvent, let nearest, frames[nearest].element == .workoutActivity,
      activity == nil
    else { return nearest }
    return frames[..<nearest].lastIndex { !$0.isStored && $0.element == .workout }
  }

  /// Adds a complete part to the element that contains it, or returns a complete item.
  mutating func place(_ content: Content, _ summary: inout ExportSummary) -> ExportItem? {
    switch content {
    case .record(let record): return place(record, &summary)
    case .correlation(let correlation): return .correlation(correlation)
    case .workout(let workout): return .workout(workout)
    case .audiogram(let audiogram): return .audiogram(audiogram)
    case .vision(let vision): return .visionPrescription(vision)
    case .stored(let item): return .stored(item)
    case .event(let event):
      if parent(of: .workoutEvent).map({ frames[$0].element }) == .workoutActivity {
        activity?.events.append(event)
      } else {
        workout?.events.append(event)
      }
    case .activity(let activity): workout?.activities.append(activity)
    case .route(let route): workout?.routes.append(route)
    }
    return nil
  }

  private mutating func place(
    _ record: consuming ExportRecord, _ summary: inout ExportSummary
  ) -> ExportItem? {
    guard let parent = parent(of: .record) else { return .record(record) }
    if frames[parent].element == .correlation {
      summary.correlatedRecords += 1
      if correlation != nil {
        correlation?.records.append(record)
        return nil
      }
    }
    // The same record may appear at top level as well.
    record.isPart = true
    guard frames[parent].element != .correlation, Self.efforts.contains(record.type) else {
      return .record(record)
    }
    if frames[parent].element == .workoutActivity, activity != nil {
      activity?.efforts.append(record)
    } else if workout != nil {
      workout?.efforts.append(record)
    } else {
      return .record(record)
    }
    return nil
  }

  private static let efforts = WorkoutEffortPayload.sampleTypes.map(\.identifier)

  /// Reports an element that no enclosing element can contain; inside an unknown element, it is
  /// counted as unknown.
  private func misplaced(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) {
    if scanner.parent == .unknown {
      summary.countUnknown(scanner.elementName())
    } else {
      fields.problem = fields.problem ?? .misplaced
    }
  }

  private mutating func add(_ entry: ExportEntry, to parent: ExportElement) {
    switch parent {
    case .record: record?.metadata.append(entry)
    case .correlation: correlation?.metadata.append(entry)
    case .workout: workout?.metadata.append(entry)
    case .workoutEvent: event?.metadata.append(entry)
    case .workoutActivity: activity?.metadata.append(entry)
    case .workoutRoute: route?.metadata.append(entry)
    case .audiogram: audiogram?.metadata.append(entry)
    default: vision?.metadata.append(entry)
    }
  }
}

/// Elements defined by this library.
extension ItemBuilder {
  /// Processes an element defined by this library, or an element inside one; returns false for any
  /// other element.
  ///
  /// The children that such an element has for other programs are redundant and ignored. So are the
  /// characteristics and activity summaries of the document, which are restored from samples and
  /// settings.
  mutating func startStored(_ fields: inout FieldReader, _ scanner: inout ExportScanner) -> Bool {
    let element = fields.element
    let around = frames.last { $0.isStored }
    if element == .storedPart, let around {
      if !around.isDropped { storedReader.add(&fields, scanner, to: &stored) }
      return true
    }
    let isOwn =
      [.storedSample, .storedRow, .storedSetting].contains(element)
      || (element.isItem && scanner.value("store:uuid") != nil)
    if isOwn {
      // A row follows its parent object, even if the parent's element was not closed.
      if element == .storedRow { flushStored() }
      begin(element, at: scanner.tagOffset, isStored: true)
      stored = storedReader.item(&fields, &scanner)
      return true
    }
    guard around != nil || element == .me || element == .activitySummary else { return false }
    if element.isItem || element.isPartWithParts {
      begin(element, at: scanner.tagOffset)
      frames[frames.count - 1].isDropped = true
    }
    return true
  }
}

extension ExportSummary {
  mutating func countUnknown(_ name: String) {
    let known = unknownElements[name] != nil || unknownElements.count < 256
    unknownElements[known ? name : "", default: 0] += 1
  }
}
