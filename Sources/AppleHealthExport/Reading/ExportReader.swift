/// A reader that delivers an Apple Health export item by item, in memory independent of its size.
///
/// ```swift
/// let reader = ExportReader(try ExportSource.open(path))
/// while let item = try reader.next() {
///   if case .record(let record) = item { print(record.type, record.value ?? "") }
/// }
/// print(reader.summary)
/// ```
///
/// The defects of real exports are tolerated and counted in ``summary``. An item that exceeds an
/// ``ExportLimit`` is skipped and reported there as well, and reading continues after it. Only one
/// task may use a reader at a time.
public final class ExportReader {
  /// The counts and problems so far; complete when ``next()`` has returned nil.
  public private(set) var summary = ExportSummary()

  private var scanner: ExportScanner
  /// The item that ``begin()`` read, until ``next()`` delivers it.
  private var first: ExportItem?
  private var builder = ItemBuilder()
  private let input: any ExportInput
  private let interval: Int
  private let report: ((ExportProgress) -> Void)?

  /// Creates a reader at the start of `input`.
  ///
  /// - Parameters:
  ///   - input: The document; see ``ExportSource``.
  ///   - interval: The number of records between two progress reports. Values below 1 are treated
  ///     as 1.
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

  /// The progress of the reader.
  public var progress: ExportProgress {
    ExportProgress(
      bytes: scanner.offset, totalBytes: input.byteCount, records: summary.records)
  }

  /// The byte offset of the tag of the last item that ``next()`` returned.
  public var itemOffset: Int64 { builder.itemStart }

  /// Reads up to the root element, so that a caller can reject other input before it prepares an
  /// import.
  ///
  /// Calling this method is optional; it does nothing after the first item.
  ///
  /// - Throws: ``ExportError``, as ``next()`` does.
  public func begin() throws(ExportError) {
    if summary.items == 0, summary.end == nil { first = try next() }
  }

  /// Returns the next item in file order.
  ///
  /// - Returns: The item, or nil at the end of a complete or truncated document; see
  ///   ``ExportSummary/end``.
  /// - Throws: ``ExportError`` if reading fails, if the input is not an export or has an
  ///   unsupported version, or if it exceeds a limit before its first item. The reader cannot
  ///   continue after an error.
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
