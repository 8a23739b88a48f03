import HealthStore

/// Puts elements together to items: the state between a start tag and its end tag.
///
/// An item is delivered wherever it stands. Any other element is a part of the nearest element
/// around it that can have it, at any depth. A part that no element around it can have is out of
/// place. So no element ends another one, and none is lost because of its place.
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

  /// An item or a part with parts that has begun.
  struct Frame {
    let element: ExportElement
    /// The offset of its tag.
    let start: Int64
    /// Whether this library's own attributes are what counts of it.
    let isStored: Bool
    /// The contents of the next frame below of the same kind, which wait for this one to end.
    var outer: Content?
    /// Whether it is above a limit: half of it would have another identity than the whole.
    var isDropped = false
    /// The bytes of the items inside it that are not its parts.
    var others: Int64 = 0
    /// The bytes that the items around it have kept when it began.
    var held: Int64 = 0

    /// The bytes of the item that are kept in memory, up to an offset.
    func size(at offset: Int64) -> Int64 { isDropped ? 0 : offset - start - others }
  }

  /// The offset of the item that was delivered last.
  private(set) var itemStart: Int64 = 0
  /// The items and parts with parts that have begun, the outermost first.
  var frames: [Frame] = []
  /// Items that were ready before the one that is being read, with their offsets.
  private var surplus: [(item: ExportItem, start: Int64)] = []
  private var surplusTaken = 0
  /// Whether the nesting inside the child of the root that is being read was noted.
  private var hasNotedDepth = false

  // The contents of the innermost frame of each kind; nil if it cannot be read or was dropped.
  var record: ExportRecord?
  var correlation: ExportCorrelation?
  var workout: ExportWorkout?
  var event: ExportWorkoutEvent?
  var activity: ExportWorkoutActivity?
  var route: ExportWorkoutRoute?
  var audiogram: ExportAudiogram?
  var vision: ExportVisionPrescription?
  var stored: ExportStoredItem?

  /// The version of this library's own attributes that the document has; nil for Apple's exports.
  var version: String?
  var storedReader = StoredItemReader()

  /// The innermost item.
  private var innermostItem: Int? { frames.lastIndex { $0.element.isItem } }

  /// Takes in a start tag; the item is one that is complete with it.
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
      // An element of this library's own in an export of Apple's.
      summary.countUnknown(scanner.elementName())
      return nil
    }
    itemStart = scanner.tagOffset
    return item
  }

  /// Takes in an end tag before an offset; the item is the one that it completes.
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

  /// Takes an item that was ready before the one that is being read.
  mutating func takeSurplus() -> ExportItem? {
    if surplus.isEmpty { return nil }
    let (item, start) = surplus[surplusTaken]
    surplusTaken += 1
    if surplusTaken == surplus.count { (surplus, surplusTaken) = ([], 0) }
    itemStart = start
    return item
  }

  /// Begins an element, whose contents are then those of its kind.
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
  /// Whether the items being built are more than fits into memory, when the reader is at an offset.
  func isTooLong(at offset: Int64) -> Bool {
    guard let item = innermostItem.map({ frames[$0] }) else { return false }
    return item.held + item.size(at: offset) > Int64(ExportLimit.itemBytes.maximum)
  }

  /// Gives up the longest item being built, when the reader is at an offset, and names it.
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

  /// Gives up the innermost item, of which something is nested too deep, and names it.
  mutating func dropTooDeep(at offset: Int64, _ summary: inout ExportSummary) {
    if let index = innermostItem { return drop(index, .depth, &summary) }
    if hasNotedDepth { return }
    hasNotedDepth = true
    summary.note(.init(.depth), in: "", at: offset)
  }

  /// Gives up an element above a limit, and the item that it is a part of.
  private mutating func exceed(
    _ limit: ExportLimit, _ element: ExportElement, at start: Int64,
    _ summary: inout ExportSummary
  ) {
    let index = innermostItem
    // A correlation without one of its members is another one.
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

  /// Delivers the items of this library's own that were not closed.
  mutating func flushStored() {
    for index in frames.indices where frames[index].isStored {
      if case .stored(let item)? = takeContent(of: index) {
        surplus.append((.stored(item), frames[index].start))
      }
    }
  }

  /// Takes the contents of a frame, which wait in the next one of its kind if there is one.
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
