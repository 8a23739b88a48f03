import AppleHealthExport
import HealthStore

/// The import of one export into a store, with a progress display.
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

  /// The time since the start, in seconds.
  var elapsed: Double { progress.elapsed }

  /// The result so far, which remains available after an error.
  var summary: ImportSummary? { importer?.summary }

  /// Checks that the document is an export, before a store is created for it.
  func begin() throws { try reader.begin() }

  /// Imports the document, up to its end or until the caller cancels.
  func run(into store: HKHealthStore, isCancelled: () -> Bool = { false }) throws -> ImportSummary {
    defer { progress.clear() }
    let importer = try ExportImporter(into: store)
    self.importer = importer
    return try importer.run(reader, files: files, isCancelled: isCancelled)
  }
}
