import Foundation
import SampleLog

@testable import HealthStore

/// A part of a row that the engine treats as opaque bytes.
enum RotField: CaseIterable, Sendable {
  case extras, unit, source, device

  private var path: WritableKeyPath<RotRow, [UInt8]> {
    switch self {
    case .extras: \.extras
    case .unit: \.unit
    case .source: \.source
    case .device: \.device
    }
  }

  func bytes(of row: RotRow) -> [UInt8] { row[keyPath: path] }

  func flip(_ bit: Int, of row: inout RotRow) { row[keyPath: path][bit / 8] ^= 1 << UInt8(bit % 8) }
}

/// A copy of a row, to be written again with a change.
struct RotRow: Sendable {
  let type: String
  let id: Identifier
  let start: Double
  let end: Double
  let value: Double
  var unit: [UInt8]
  var source: [UInt8]
  var device: [UInt8]
  var extras: [UInt8]

  init(_ row: Row, _ symbols: SymbolTable) {
    let (block, place) = (row.block, row.row)
    type = symbols.text(block.type)
    id = block.id[place]
    start = block.start[place]
    end = block.end[place]
    value = block.value[place]
    unit = symbols.name(block.unit[place])
    source = symbols.name(block.source[place])
    device = symbols.name(block.device[place])
    extras = [UInt8](block.extras(at: place))
  }

  static func save(_ rows: [RotRow], _ database: Database) throws {
    let symbols = database.symbols
    var batch = Batch()
    for row in rows {
      batch.add(
        subject: symbols.intern(""), type: symbols.intern(row.type), id: row.id, start: row.start,
        end: row.end, value: row.value, unit: symbols.intern(row.unit),
        source: symbols.intern(row.source), device: symbols.intern(row.device),
        extras: row.extras.isEmpty ? 0 : batch.intern(extras: row.extras))
    }
    try database.commit(batch)
  }

  private var decodedExtras: Extras? { extras.withUnsafeBytes { Extras($0) } }

  private var decodedUnit: HKUnit? { HKUnit.named(String(decoding: unit, as: UTF8.self)) }

  /// Whether all of its bytes can be decoded.
  var makesSense: Bool {
    guard unit.isEmpty || decodedUnit != nil, HKSourceRevision(stored: source) != nil,
      device.isEmpty || HKDevice(stored: device) != nil, let extras = decodedExtras
    else { return false }
    let isCorrelation = type.contains("Correlation")
    if isCorrelation, extras.payloadKind != 0, CorrelationPayload(extras) == nil { return false }
    return extras.metadata.isEmpty || (try? MetadataCoding.decode(extras.metadata)) != nil
  }

  /// Whether a sample has the decoded content of the bytes.
  func isMeant(by sample: HKSample, among rows: [RotRow]) -> Bool {
    guard makesSense, let extras = decodedExtras,
      sample.sourceRevision == HKSourceRevision(stored: source),
      sample.device == (device.isEmpty ? nil : HKDevice(stored: device))
    else { return false }
    if let quantity = (sample as? HKQuantitySample)?.quantity, quantity.unit != decodedUnit {
      return false
    }
    let bytes = try? sample.metadata.map { try MetadataCoding.encode($0) }
    let expected = try? MetadataCoding.encode(MetadataCoding.decode(extras.metadata))
    guard bytes == expected else { return false }
    guard let correlation = sample as? HKCorrelation else { return true }
    let stored = Set(rows.map(\.id))
    let members = CorrelationPayload(extras)?.members.map(\.id).filter(stored.contains) ?? []
    // Other samples may have replaced members by their sync identifiers.
    return Set(members).isSubset(of: correlation.objects.map { Identifier($0.uuid) })
  }
}
