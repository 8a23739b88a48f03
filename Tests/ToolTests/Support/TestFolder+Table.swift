import Foundation
import HealthStore
import SampleLog

@testable import HealthStoreTool

extension TestFolder {
  /// Creates a store with samples of the given start times, end times and values.
  func makeStore(_ samples: [(Double, Double, Double)]) throws -> String {
    let path = store()
    let database = try Database(path: path)
    var batch = database.makeBatch()
    let series = database.series(
      subject: "", type: HKQuantityTypeIdentifier.bodyMass.rawValue)
    for (start, end, value) in samples {
      batch.add(to: series, start: start, end: end, value: value, unit: database.name("kg"))
    }
    try database.commit(batch)
    try database.close()
    return path
  }

  /// Exports a store within limits, and returns a reader of the file and its number of row groups.
  func table(
    of path: String, _ format: String, _ limits: SampleTable.Limits
  ) throws -> (reader: any TableReader, groupCount: Int) {
    let bytes = try bytes(of: path, format, limits)
    if format == "arrow" {
      let reader = try ArrowReader(bytes)
      return (reader, reader.batchCount)
    }
    let reader = try ParquetReader(bytes)
    return (reader, reader.groups.count)
  }

  /// Exports a store within limits on row groups, and returns the bytes of the file.
  func bytes(of path: String, _ format: String, _ limits: SampleTable.Limits) throws -> [UInt8] {
    let database = try Database(path: path)
    let snapshot = database.snapshot()
    let words = RowWords(database)
    let bytes = Locked<[UInt8]>([])
    let sink = ExportSink(Output(isTerminal: false) { more in bytes.withLock { $0 += more } })
    let writer = TableWriter(
      format == "arrow" ? ArrowStream() : ParquetFile(), hasKinds: false, limits: limits, words,
      StoredObjects(words.reader, snapshot), sink)
    let days = ActivityDays()
    _ = try SampleExport(types: [], filter: RowFilter(), days: days)
      .run(database, snapshot, writer)
    try database.close()
    return bytes.withLock { $0 }
  }
}
