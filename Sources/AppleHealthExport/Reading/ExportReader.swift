/// Reads an Apple Health export item by item, in memory that does not depend on its size.
///
/// ```swift
/// let reader = ExportReader(try ExportSource.open(path))
/// while let item = try reader.next() {
///   if case .record(let record) = item { print(record.type, record.value ?? "") }
/// }
/// print(reader.summary)
/// ```
///
/// The defects of real exports are read through and counted in ``summary``. An item with something
/// in it above an ``ExportLimit`` is left out, counted and named there as well, and reading goes on
/// behind it. A reader is used from one task at a time.
public final class ExportReader {
  /// What was met so far; complete when ``next()`` has returned nil.
  public private(set) var summary = ExportSummary()

  private var scanner: ExportScanner
  /// What ``begin()`` read, until ``next()`` delivers it.
  private var first: ExportItem?
  private var builder = ItemBuilder()
  private let input: any ExportInput
  private let interval: Int
  private let report: ((ExportProgress) -> Void)?

  /// A reader at the start of `input`.
  ///
  /// - Parameters:
  ///   - input: The document; see ``ExportSource``.
  ///   - interval: How many records lie between two progress reports, at least 1.
  ///   - progress: Called from ``next()``, at most once per `interval` records, and at the end.
  public convenience init(
    _ input: any ExportInput, reportingEvery interval: Int = 10_000,
    progress: ((ExportProgress) -> Void)? = nil
  ) {
    self.init(input, reportingEvery: interval, progress: progress, capacity: 256 << 10)
  }

  package init(
    _ input: any ExportInput, reportingEvery interval: Int = 10_000,
    progress: ((ExportProgress) -> Void)? = nil, capacity: Int
  ) {
    self.input = input
    self.interval = max(1, interval)
    report = progress
    scanner = ExportScanner(input, capacity: capacity)
  }

  /// How far the reader is.
  public var progress: ExportProgress {
    ExportProgress(
      bytes: scanner.offset, totalBytes: input.byteCount, records: summary.records)
  }

  /// Where the tag of the item that ``next()`` returned last starts, in bytes.
  public var itemOffset: Int64 { builder.itemStart }

  /// Reads as far as the root, so that what is no export shows before anything is done for it.
  ///
  /// Needs not be called, and does nothing after the first item.
  ///
  /// - Throws: ``ExportError`` as ``next()`` does.
  public func begin() throws(ExportError) {
    if summary.items == 0, summary.end == nil { first = try next() }
  }

  /// The next item in file order.
  ///
  /// - Returns: Nil at the end, whether the document is complete or cut: ``ExportSummary/end``.
  /// - Throws: ``ExportError`` when the input fails, is no export or exceeds a limit before its
  ///   first item. The reader cannot go on after that.
  public func next() throws(ExportError) -> ExportItem? {
    if let first = first.take() { return first }
    if summary.end != nil { return nil }
    while true {
      if let item = builder.takeSurplus() { return deliver(item) }
      switch try scanner.next() {
      case .start(let element):
        let item = builder.start(element, &scanner, &summary)
        if let version = builder.version, version != StoredItemReader.version {
          throw .unsupportedVersion(version)
        }
        if let item { return deliver(item) }
      case .tooDeep:
        builder.dropTooDeep(at: scanner.offset, &summary)
      case .end(let element):
        let item = builder.end(element, at: scanner.offset, &summary)
        if let item { return deliver(item) }
      case .finished:
        summary.end = .complete
        (summary.trailingBytes, summary.trailingOffset) = try scanner.drain()
        finish()
        return nil
      case .truncated(let offset):
        summary.end = .truncated(offset: offset, insideItem: scanner.depth > 1)
        finish()
        return nil
      }
      if scanner.depth > 1, builder.isTooLong(at: scanner.offset) {
        builder.dropLongest(at: scanner.offset, &summary)
      }
    }
  }

  private func deliver(_ item: ExportItem) -> ExportItem {
    summary.items += 1
    if item.isRecord {
      summary.records += 1
      if let report, summary.records % interval == 0 {
        copyDefects()
        report(progress)
      }
    }
    return item
  }

  private func finish() {
    copyDefects()
    report?(progress)
  }

  private func copyDefects() {
    summary.duplicateAttributes = scanner.defects.duplicateAttributes
    summary.malformedTags = scanner.defects.malformedTags
    summary.mismatchedTags = scanner.defects.mismatchedTags
    summary.strayBrackets = scanner.defects.strayBrackets
    summary.unknownEntities = scanner.defects.unknownEntities
    summary.repairedStrings = scanner.defects.repairedStrings
  }
}
