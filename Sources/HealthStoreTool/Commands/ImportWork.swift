import AppleHealthExport
import HealthStore

/// The reading of one export into a store, shown as it goes.
final class ImportWork {
  private var progress: ProgressLine
  private var importer: ExportImporter?
  private let input: any ExportInput
  private let files: ExportFiles
  private lazy var reader = ExportReader(input, reportingEvery: 1000) { [unowned self] done in
    let fraction = done.totalBytes.map { $0 > 0 ? Double(done.bytes) / Double($0) : 1 }
    progress.show(fraction: fraction, count: done.records)
  }

  init(_ path: String, _ output: Output, isCancelled: (() -> Bool)? = nil) throws {
    (input, files) = try ExportSource.contents(of: path, isCancelled: isCancelled)
    progress = ProgressLine(output)
  }

  /// Seconds since the start.
  var elapsed: Double { progress.elapsed }

  /// What was done so far, also when an error ended the work.
  var summary: ImportSummary? { importer?.summary }

  /// Finds out whether the document is an export, before anything is made for it.
  func begin() throws { try reader.begin() }

  /// Imports the document, until it is cancelled.
  func run(into store: HKHealthStore, isCancelled: () -> Bool = { false }) throws -> ImportSummary {
    defer { progress.clear() }
    let importer = try ExportImporter(into: store)
    self.importer = importer
    return try importer.run(reader, files: files, isCancelled: isCancelled)
  }
}
