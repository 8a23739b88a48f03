import HealthStore
import SampleLog

/// The columns of samples, buffered for one row group.
///
/// Has the same content as the JSON of ``RowEncoder``; a field that JSON omits is null.
struct SampleTable {
  /// A row that is not stored in a block: an activity summary, a deletion or an erasure.
  struct Record {
    var kind = ""
    var type = ""
    var subject = ""
    /// The start and the end, in seconds since 2001-01-01 00:00 UTC.
    var dates: (start: Double, end: Double)?
    var value: Double?
    var unit = ""
    var details = ""
    var id: Identifier?
    var sequence: UInt64?
  }

  private struct Origin: Hashable {
    var source: Symbol
    var device: Symbol
  }

  private struct NamedValue: Hashable {
    var type: Symbol
    var value: Double
  }

  /// The texts that all samples of a series share, by their numbers in the columns.
  private struct Series {
    var traits: RowFields.Traits
    var type: TextColumn.Number?
    var subject: TextColumn.Number?
  }

  private struct OriginNumbers {
    var source: TextColumn.Number?
    var bundleIdentifier: TextColumn.Number?
    var version: TextColumn.Number?
    var productType: TextColumn.Number?
    var operatingSystem: TextColumn.Number?
    var device: TextColumn.Number?
  }

  private struct Blob {
    var metadata: TextColumn.Number?
    /// Whether the extras may contain more than the metadata.
    var isMore = false
  }

  struct Limits {
    /// The number of rows at which a row group ends.
    var rowCount = 1 << 17
    /// The size of distinct texts at which a row group ends, in bytes.
    var textByteCount = 16 << 20
    /// The largest size of the contents of a sample, in bytes.
    ///
    /// The texts of a column in a row group, with their lengths, must take less than 2 GiB.
    var contentsByteCount = 2000 << 20
  }

  private let fields: RowFields
  /// Whether the table has the column `kind`, because it may contain deletions.
  private let hasKinds: Bool
  private let limits: Limits

  private var kind = TextColumn()
  private var subject = TextColumn()
  private var type = TextColumn()
  private var start = TimeColumn()
  private var end = TimeColumn()
  private var value = ValueColumn<Double>()
  private var valueName = TextColumn()
  private var unit = TextColumn()
  private var source = TextColumn()
  private var device = TextColumn()
  private var metadata = TextColumn()
  private var uuid = ValueColumn<Identifier>()
  private var sequence = ValueColumn<Int64>()
  private var bundleIdentifier = TextColumn()
  private var version = TextColumn()
  private var productType = TextColumn()
  private var operatingSystem = TextColumn()
  private var members = TextColumn()
  private var details = TextColumn()
  private var contents = TextColumn()

  private var allSeries = LastUsed<SeriesKey, Series>()
  private var units = LastUsed<Symbol, TextColumn.Number?>()
  private var origins = LastUsed<Origin, OriginNumbers>()
  private var valueNames = LastUsed<NamedValue, TextColumn.Number?>()
  private var blobs = BlobCache<Blob>()

  init(_ fields: RowFields, hasKinds: Bool, limits: Limits) {
    self.limits = limits
    self.fields = fields
    self.hasKinds = hasKinds
  }

  /// The number of rows.
  var count: Int { uuid.presence.count }

  private var isFull: Bool {
    count >= limits.rowCount
      || metadata.byteCount + details.byteCount + contents.byteCount + members.byteCount
        + valueName.byteCount >= limits.textByteCount
  }

  /// The columns, in the order of the file.
  var columns: [TableColumn] {
    let all: [(String, ColumnValues)] = [
      ("kind", .texts(kind)), ("subject", .texts(subject)), ("type", .texts(type)),
      ("start", .times(start.rounded)), ("end", .times(end.rounded)),
      ("value", .numbers(value)), ("value_name", .texts(valueName)), ("unit", .texts(unit)),
      ("source", .texts(source)), ("device", .texts(device)), ("metadata", .texts(metadata)),
      ("uuid", .identifiers(uuid)), ("sequence", .integers(sequence)),
      ("bundle_identifier", .texts(bundleIdentifier)), ("version", .texts(version)),
      ("product_type", .texts(productType)), ("operating_system", .texts(operatingSystem)),
      ("objects", .texts(members)), ("details", .texts(details)),
      ("contents", .texts(contents)), ("start_exact", .numbers(start.exact)),
      ("end_exact", .numbers(end.exact)),
    ]
    return all.dropFirst(hasKinds ? 0 : 1).map { TableColumn(name: $0, values: $1) }
  }

  /// Appends a sample and returns whether the row group is full.
  mutating func add(_ block: Block, _ row: Int) throws -> Bool {
    // Calls that can throw come first, so that an unreadable sample leaves no partial row.
    let key = block.key(at: row)
    let series = allSeries.last(key) ?? findSeries(key, block, row)
    let special =
      series.traits.mayHaveDetails ? try fields.details(Row(block, row)) : nil
    let objects = series.traits.mayHaveMembers ? try fields.members(of: Row(block, row)) : []
    // Most samples have no extras.
    let blob =
      block.extras[row] == 0 ? Blob() : try blobs.entry(block, row) ?? makeBlob(block, row)
    let more =
      blob.isMore || series.traits.mayHaveChildren
      ? try fields.contents(Row(block, row))?.text : nil
    if let more, more.utf8.count > limits.contentsByteCount {
      throw Failure(
        "The sample \(block.id[row]) has contents of \(Figures.count(more.utf8.count)) bytes; "
          + "a column holds \(Figures.count(limits.contentsByteCount)). Export it as jsonl.",
        status: .failed)
    }

    if hasKinds { kind.append("added") }
    subject.append(series.subject)
    type.append(series.type)
    start.append(block.start[row])
    end.append(block.end[row])
    if objects.isEmpty { value.append(block.value[row]) } else { value.appendNull() }
    if let special {
      valueName.append(special.valueName)
    } else if series.traits.isCategory {
      let name = NamedValue(type: block.type, value: block.value[row])
      valueName.append(valueNames.last(name) ?? findValueName(name, block, row))
    } else {
      valueName.append(nil)
    }
    unit.append(units.last(block.unit[row]) ?? findUnit(block, row))
    let origin = Origin(source: block.source[row], device: block.device[row])
    append(origins.last(origin) ?? findOrigin(origin, block, row))
    metadata.append(blob.metadata)
    uuid.append(block.id[row])
    sequence.append(Int64(bitPattern: block.sequence[row]))
    if objects.isEmpty {
      members.append(nil)
    } else {
      members.append(JSONObject.text(objects.map(\.uuidString)))
    }
    details.append(special.flatMap { details.number(of: $0.object.text) })
    contents.append(more.flatMap { contents.number(of: $0) })
    return isFull
  }

  /// Appends a row that is not stored in a block and returns whether the row group is full.
  mutating func add(_ record: Record) -> Bool {
    if hasKinds { kind.append(record.kind) }
    subject.append(record.subject)
    type.append(record.type)
    if let (first, last) = record.dates {
      start.append(first)
      end.append(last)
    } else {
      start.appendNull()
      end.appendNull()
    }
    value.append(ifAny: record.value)
    valueName.append(nil)
    unit.append(record.unit)
    append(OriginNumbers())
    metadata.append(nil)
    uuid.append(ifAny: record.id)
    sequence.append(ifAny: record.sequence.map { Int64(bitPattern: $0) })
    members.append(nil)
    details.append(record.details)
    contents.append(nil)
    return isFull
  }

  @inline(__always)
  private mutating func append(_ origin: OriginNumbers) {
    source.append(origin.source)
    device.append(origin.device)
    bundleIdentifier.append(origin.bundleIdentifier)
    version.append(origin.version)
    productType.append(origin.productType)
    operatingSystem.append(origin.operatingSystem)
  }

  // MARK: Cache misses

  @inline(never)
  private mutating func findSeries(_ key: SeriesKey, _ block: Block, _ row: Int) -> Series {
    let found = fields.series(Row(block, row))
    return allSeries.value(of: key) {
      Series(
        traits: found.traits, type: type.number(of: found.type),
        subject: subject.number(of: found.subject))
    }
  }

  @inline(never)
  private mutating func findUnit(_ block: Block, _ row: Int) -> TextColumn.Number? {
    units.value(of: block.unit[row]) { unit.number(of: fields.unit(Row(block, row))) }
  }

  @inline(never)
  private mutating func findOrigin(
    _ key: Origin, _ block: Block, _ row: Int
  ) -> OriginNumbers {
    origins.value(of: key) {
      let origin = fields.origin(Row(block, row))
      return OriginNumbers(
        source: source.number(of: origin.source),
        bundleIdentifier: bundleIdentifier.number(of: origin.bundleIdentifier),
        version: version.number(of: origin.version),
        productType: productType.number(of: origin.productType),
        operatingSystem: operatingSystem.number(of: origin.operatingSystem),
        device: device.number(of: origin.device?.text ?? ""))
    }
  }

  @inline(never)
  private mutating func findValueName(
    _ name: NamedValue, _ block: Block, _ row: Int
  ) -> TextColumn.Number? {
    valueNames.value(of: name) { valueName.number(of: fields.valueName(Row(block, row))) }
  }

  @inline(never)
  private mutating func makeBlob(_ block: Block, _ row: Int) throws -> Blob {
    var entry = Blob(isMore: !Row(block, row).hasOnlyMetadata)
    if !block.metadata(at: row).isEmpty {
      let (object, isVersioned) = try fields.metadata(Row(block, row))
      entry.metadata = metadata.number(of: object.text)
      entry.isMore = entry.isMore || isVersioned
    }
    blobs.keep(entry, block, row)
    return entry
  }

  /// Removes all rows.
  mutating func removeAll() {
    kind.removeAll()
    subject.removeAll()
    type.removeAll()
    start.removeAll()
    end.removeAll()
    value.removeAll()
    valueName.removeAll()
    unit.removeAll()
    source.removeAll()
    device.removeAll()
    metadata.removeAll()
    uuid.removeAll()
    sequence.removeAll()
    bundleIdentifier.removeAll()
    version.removeAll()
    productType.removeAll()
    operatingSystem.removeAll()
    members.removeAll()
    details.removeAll()
    contents.removeAll()
    // These caches contain numbers of removed texts.
    allSeries = LastUsed()
    units = LastUsed()
    origins = LastUsed()
    valueNames = LastUsed()
    blobs.removeAll()
  }
}
