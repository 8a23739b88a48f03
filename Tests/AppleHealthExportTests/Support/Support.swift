import AppleHealthExport
import Foundation
import Testing

/// A document around `body`, with the prolog of iOS 17.
func export(_ body: String, dtd: String = "") -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE HealthData [
  <!-- HealthKit Export Version: 14 -->
  <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
  <!ATTLIST HealthData
    locale CDATA #REQUIRED
  >
  \(dtd)]>
  <HealthData locale="en_GB">
   <ExportDate value="2024-03-01 10:00:00 +0100"/>
  \(body)
  </HealthData>
  """
}

/// A record with the common attributes.
///
/// `extra` comes before `startDate`.
func record(
  _ type: String = "HKQuantityTypeIdentifierHeartRate", value: String = "62",
  start: String = "2024-02-01 08:00:00 +0100", extra: String = #"unit="count/min""#
) -> String {
  #"<Record type="\#(type)" sourceName="Watch" \#(extra) startDate="\#(start)" "#
    + #"endDate="\#(start)" value="\#(value)"/>"#
}

/// Returns everything that a reader delivers, with its summary.
func read(
  _ text: String, capacity: Int = 256 << 10
) throws -> (items: [ExportItem], summary: ExportSummary) {
  try read(ExportReader(MemoryInput(text), capacity: capacity))
}

func read(
  bytes: [UInt8]
) throws -> (items: [ExportItem], summary: ExportSummary) {
  try read(ExportReader(MemoryInput(chunks: [bytes])))
}

func read(_ reader: ExportReader) throws -> (items: [ExportItem], summary: ExportSummary) {
  var items: [ExportItem] = []
  while let item = try reader.next() { items.append(item) }
  return (items, reader.summary)
}

extension [ExportItem] {
  var records: [ExportRecord] {
    compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  var workouts: [ExportWorkout] {
    compactMap { if case .workout(let workout) = $0 { workout } else { nil } }
  }

  var correlations: [ExportCorrelation] {
    compactMap { if case .correlation(let correlation) = $0 { correlation } else { nil } }
  }
}

/// Every event of a scanner as a line of text.
func events(_ input: any ExportInput, capacity: Int = 4) throws -> [String] {
  var scanner = ExportScanner(input, capacity: capacity)
  var lines: [String] = []
  while true {
    let event = try scanner.next()
    if case .start = event {
      let attributes = scanner.allAttributes().map { "\($0.name)=\($0.value)" }
      lines.append("\(event) \(scanner.elementName()) @\(scanner.tagOffset) \(attributes)")
    } else {
      lines.append("\(event)")
    }
    switch event {
    case .finished, .truncated: return lines
    default: continue
    }
  }
}

/// A folder that is removed with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/export-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and makes its parent folders.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}
