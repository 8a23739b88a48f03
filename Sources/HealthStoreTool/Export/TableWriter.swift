import HealthStore
import SampleLog

/// Writes samples in a columnar format, one row group at a time.
final class TableWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private var table: SampleTable
  private var format: any TableFormat

  init(
    _ format: any TableFormat, hasKinds: Bool, limits: SampleTable.Limits = SampleTable.Limits(),
    _ words: RowWords, _ objects: StoredObjects, _ sink: ExportSink
  ) {
    self.format = format
    self.words = words
    self.sink = sink
    table = SampleTable(RowFields(words, objects), hasKinds: hasKinds, limits: limits)
  }

  func begin() throws { try format.begin(table.columns, sink.write) }

  func add(_ block: Block, _ row: Int) throws {
    if try table.add(block, row) { try flush() }
  }

  func add(_ days: [ActivityDay], of choice: ActivityDays) throws {
    for day in days {
      try add(
        SampleTable.Record(
          kind: "added", type: ActivityDay.typeName, subject: day.subject,
          dates: (day.start, day.end), value: day.movement?.value,
          unit: day.movement?.unit.unitString ?? "", details: day.details.text))
    }
  }

  func delete(_ change: Change) throws {
    let row = change.row
    try add(
      SampleTable.Record(
        kind: "deleted", type: words.type(of: row), subject: words.subject(row.subject),
        id: row.id, sequence: row.sequence))
  }

  func erase(_ subject: String) throws {
    try add(SampleTable.Record(kind: "erased", subject: subject))
  }

  func end() throws {
    if table.count > 0 { try flush() }
    try format.end(sink.write)
  }

  private func add(_ record: SampleTable.Record) throws {
    if table.add(record) { try flush() }
  }

  private func flush() throws {
    try format.add(table.columns, sink.write)
    table.removeAll()
  }
}
