import HealthStore

/// A builder that assembles elements into items, with the state between a start and an end tag.
///
/// An item is delivered wherever it occurs. Any other element is a part of the nearest enclosing
/// element that can contain it, regardless of the elements between the two; if there is none, it is
/// misplaced. So no element implicitly ends another, and none is lost because of its position.
struct ItemBuilder {
  /// The contents of an element while its parts are collected.
  indirect enum Content {
    case record(ExportRecord)
    case correlation(ExportCorrelation)
    case workout(ExportWorkout)
    case event(ExportWorkoutEvent)
    case activity(ExportWorkoutActivity)
    case route(ExportWorkoutRoute)
    case audiogram(ExportAudiogram)
    case vision(ExportVisionPrescription)
    case stored(ExportStoredItem)
  }

  /// An open item, or an open part that has parts itself.
  struct Frame {
    let element: ExportElement
    /// The byte offset of its tag.
    let start: Int64
    /// Whether the element is read from the attributes of this library.
    let isStored: Bool
    /// The contents of the enclosing frame of the same kind, restored when this frame ends.
    var outer: Content?
    /// Whether the element is ignored, for example because it exceeds a limit: a partial item would
    /// have a different identity.
    var isDropped = false
    /// The bytes of nested items that are not its parts.
    var others: Int64 = 0
    /// The bytes that the enclosing items held in memory when it began.
    var held: Int64 = 0

    /// Returns the bytes of the item that are held in memory, up to an offset.
    func size(at offset: Int64) -> Int64 { isDropped ? 0 : offset - start - others }
  }

  /// The byte offset of the last item delivered.
  private(set) var itemStart: Int64 = 0
  /// The open items and parts with parts, outermost first.
  var frames: [Frame] = []
  /// Items that were completed before the one being read, with their offsets.
  private var surplus: [(item: ExportItem, start: Int64)] = []
  private var surplusTaken = 0
  /// Whether excessive nesting was reported for the current child of the root.
  private var hasNotedDepth = false

  // The contents of the innermost frame of each kind; nil if it is invalid or was dropped.
  var record: ExportRecord?
  var correlation: ExportCorrelation?
  var workout: ExportWorkout?
  var event: ExportWorkoutEvent?
  var activity: ExportWorkoutActivity?
  var route: ExportWorkoutRoute?
  var audiogram: ExportAudiogram?
  var vision: ExportVisionPrescription?
  var stored: ExportStoredItem?

  /// The version of this library's attributes in the document, or nil for Apple's exports.
  var version: String?
  var storedReader = StoredItemReader()

  /// The index of the innermost open item.
  private var innermostItem: Int? { frames.lastIndex { $0.element.isItem } }

  /// Processes a start tag; returns the item if the tag completes one.
  mutating func start(
    _ element: ExportElement, _ scanner: inout ExportScanner, _ summary: inout ExportSummary
  ) -> ExportItem? {
    if scanner.depth <= 2 { hasNotedDepth = false }
    if let limit = scanner.exceeded {
      exceed(limit, element, at: scanner.tagOffset, &summary)
      return nil
    }
    var fields = FieldReader(element: element)
    defer { fields.note(in: &summary, scanner) }
    if version != nil, startStored(&fields, &scanner) { return nil }
    guard element.isItem else {
      startPart(&fields, &scanner, &summary)
      return element == .healthData && scanner.depth == 1
        ? .locale(scanner.string("locale") ?? "") : nil
    }
    begin(element, at: scanner.tagOffset)
    let item: ExportItem?
    switch element {
    case .record:
      record = fields.record(&scanner)
      return nil
    case .correlation:
      correlation = fields.correlation(&scanner)
      return nil
    case .workout:
      workout = fields.workout(&scanner)
      return nil
    case .audiogram:
      audiogram = fields.audiogram(&scanner)
      return nil
    case .visionPrescription:
      vision = fields.visionPrescription(&scanner)
      return nil
    case .exportDate: item = fields.date("value", &scanner).map { .exportDate($0) }
    case .me: item = .characteristics(fields.all(&scanner))
    case .clinicalRecord: item = .clinicalRecord(fields.all(&scanner))
    case .activitySummary:
      item = fields.activitySummary(&scanner).map { .activitySummary($0) }
    default:
      // An element defined by this library in an export of Apple's.
      summary.countUnknown(scanner.elementName())
      return nil
    }
    itemStart = scanner.tagOffset
    return item
  }

  /// Processes an end tag that ends at an offset; returns the item that it completes.
  mutating func end(
    _ element: ExportElement, at offset: Int64, _ summary: inout ExportSummary
  ) -> ExportItem? {
    guard element.isItem || element.isPartWithParts, let frame = frames.popLast() else {
      return nil
    }
    let content = frame.isStored ? stored.take().map { .stored($0) } : take(element)
    if let outer = frame.outer { restore(outer) }
    let item = frame.isDropped ? nil : content.flatMap { place($0, &summary) }
    if element.isItem, let around = innermostItem {
      let isPart = item == nil && content != nil && !frame.isDropped
      frames[around].others += isPart ? frame.others : offset - frame.start
    }
    if item != nil { itemStart = frame.start }
    return item
  }

  /// Removes and returns an item that was completed before the one being read.
  mutating func takeSurplus() -> ExportItem? {
    if surplus.isEmpty { return nil }
    let (item, start) = surplus[surplusTaken]
    surplusTaken += 1
    if surplusTaken == surplus.count { (surplus, surplusTaken) = ([], 0) }
    itemStart = start
    return item
  }

  /// Opens a frame for an element, and saves the contents of the enclosing frame of its kind.
  mutating func begin(_ element: ExportElement, at start: Int64, isStored: Bool = false) {
    var frame = Frame(
      element: element, start: start, isStored: isStored,
      outer: isStored ? stored.take().map { .stored($0) } : take(element))
    if element.isItem, let around = innermostItem {
      frame.held = frames[around].held + frames[around].size(at: start)
    }
    frames.append(frame)
  }
}

extension ItemBuilder {
  /// Returns whether the open items exceed ``ExportLimit/itemBytes``, when the reader is at an
  /// offset.
  func isTooLong(at offset: Int64) -> Bool {
    guard let item = innermostItem.map({ frames[$0] }) else { return false }
    return item.held + item.size(at: offset) > Int64(ExportLimit.itemBytes.maximum)
  }

  /// Drops and reports the longest open item, when the reader is at an offset.
  mutating func dropLongest(at offset: Int64, _ summary: inout ExportSummary) {
    var (longest, size, end) = (0, Int64(-1), offset)
    for index in frames.indices.reversed() where frames[index].element.isItem {
      let own = frames[index].size(at: end)
      if own > size { (longest, size) = (index, own) }
      end = frames[index].start
    }
    drop(longest, .itemBytes, &summary)
    for index in frames.indices where index > longest { frames[index].held -= size }
  }

  /// Drops and reports the innermost item, which contains an element beyond the nesting limit.
  mutating func dropTooDeep(at offset: Int64, _ summary: inout ExportSummary) {
    if let index = innermostItem { return drop(index, .depth, &summary) }
    if hasNotedDepth { return }
    hasNotedDepth = true
    summary.note(.init(.depth), in: "", at: offset)
  }

  /// Drops an element that exceeds a limit, and the item that contains it.
  private mutating func exceed(
    _ limit: ExportLimit, _ element: ExportElement, at start: Int64,
    _ summary: inout ExportSummary
  ) {
    let index = innermostItem
    // A correlation without one of its members would be a different one.
    let isMember = element == .record && index.map { frames[$0].element } == .correlation
    if let index, isMember || !element.isItem {
      drop(index, limit, &summary)
    } else {
      summary.note(.init(limit), in: element.name.description, at: start)
    }
    guard element.isItem || element.isPartWithParts else { return }
    begin(element, at: start)
    frames[frames.count - 1].isDropped = true
  }

  private mutating func drop(_ item: Int, _ limit: ExportLimit, _ summary: inout ExportSummary) {
    if frames[item].isDropped { return }
    let end = frames[(item + 1)...].firstIndex { $0.element.isItem } ?? frames.count
    for index in item..<end {
      if case .correlation(let dropped)? = takeContent(of: index) {
        for member in dropped.records { deliver(member, at: frames[item].start) }
      }
      frames[index].isDropped = true
    }
    summary.note(.init(limit), in: frames[item].element.name.description, at: frames[item].start)
  }

  /// Delivers a record whose correlation was dropped.
  private mutating func deliver(_ member: ExportRecord, at start: Int64) {
    var member = member
    member.isPart = true
    surplus.append((.record(member), start))
  }

  /// Delivers the open items defined by this library, whose elements were not closed.
  mutating func flushStored() {
    for index in frames.indices where frames[index].isStored {
      if case .stored(let item)? = takeContent(of: index) {
        surplus.append((.stored(item), frames[index].start))
      }
    }
  }

  /// Removes and returns the contents of a frame, which the next frame of its kind, if any, has
  /// saved.
  private mutating func takeContent(of index: Int) -> Content? {
    let (element, isStored) = (frames[index].element, frames[index].isStored)
    let next = frames[(index + 1)...].firstIndex {
      $0.isStored == isStored && (isStored || $0.element == element)
    }
    if let next { return frames[next].outer.take() }
    return isStored ? stored.take().map { .stored($0) } : take(element)
  }

  private mutating func take(_ element: ExportElement) -> Content? {
    switch element {
    case .record: record.take().map { .record($0) }
    case .correlation: correlation.take().map { .correlation($0) }
    case .workout: workout.take().map { .workout($0) }
    case .workoutEvent: event.take().map { .event($0) }
    case .workoutActivity: activity.take().map { .activity($0) }
    case .workoutRoute: route.take().map { .route($0) }
    case .audiogram: audiogram.take().map { .audiogram($0) }
    case .visionPrescription: vision.take().map { .vision($0) }
    default: nil
    }
  }

  private mutating func restore(_ content: Content) {
    switch content {
    case .record(let outer): record = outer
    case .correlation(let outer): correlation = outer
    case .workout(let outer): workout = outer
    case .event(let outer): event = outer
    case .activity(let outer): activity = outer
    case .route(let outer): route = outer
    case .audiogram(let outer): audiogram = outer
    case .vision(let outer): vision = outer
    case .stored(let outer): stored = outer
    }
  }
}
