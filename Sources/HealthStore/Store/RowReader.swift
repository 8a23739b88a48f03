import Foundation
package import SampleLog

/// The rows of one store in HealthKit's words: what their symbols and bytes stand for.
package final class RowReader: Sendable {
  let symbols: SymbolTable
  private let types: SymbolCache<HKSampleType?>
  private let units: SymbolCache<HKUnit?>
  private let revisions: SymbolCache<HKSourceRevision?>
  private let devices: SymbolCache<HKDevice?>

  /// Reads rows of this database.
  package init(_ database: Database) {
    symbols = database.symbols
    types = SymbolCache(symbols) { name in
      HKObjectType.make(identifier: String(decoding: name, as: UTF8.self)) as? HKSampleType
    }
    units = SymbolCache(symbols) { name in
      HKUnit.named(String(decoding: name, as: UTF8.self))
    }
    revisions = SymbolCache(symbols) { HKSourceRevision(stored: $0) }
    devices = SymbolCache(symbols) { HKDevice(stored: $0) }
  }

  /// The type that a symbol names, `nil` when it names none of HealthKit's.
  func type(_ symbol: Symbol) -> HKSampleType? { types[symbol] }

  /// The unit that a symbol names; none where nothing is named.
  func unit(_ symbol: Symbol) -> HKUnit { symbol == 0 ? .null : units[symbol] ?? .null }

  /// Who recorded a row; an unknown one where nothing is named.
  func sourceRevision(_ symbol: Symbol) -> HKSourceRevision {
    symbol == 0 ? .unknown : revisions[symbol] ?? .unknown
  }

  func device(_ symbol: Symbol) -> HKDevice? { symbol == 0 ? nil : devices[symbol] }

  // Whether what a symbol names makes sense; only another program can have written what does not.

  func hasUnit(_ symbol: Symbol) -> Bool { symbol == 0 || units[symbol] != nil }

  func hasSourceRevision(_ symbol: Symbol) -> Bool {
    symbol == 0 || revisions[symbol] != nil || symbols.name(symbol).isPlainText
  }

  func hasDevice(_ symbol: Symbol) -> Bool {
    symbol == 0 || devices[symbol] != nil || symbols.name(symbol).isPlainText
  }

  /// The type, or nil when the identifier is none of HealthKit's.
  package func type(of row: RowReference) -> HKSampleType? { type(row.block.type) }

  /// The type's identifier, whether it is one of HealthKit's or not.
  package func typeIdentifier(of row: RowReference) -> String { symbols.text(row.block.type) }

  /// Whose data it is.
  package func subject(of row: RowReference) -> String { symbols.text(row.subject) }

  /// The unit's string; empty for samples without a quantity.
  package func unit(of row: RowReference) -> String { symbols.text(row.block.unit[row.row]) }

  /// Who recorded the sample.
  package func sourceRevision(of row: RowReference) -> HKSourceRevision {
    sourceRevision(row.block.source[row.row])
  }

  /// What recorded the sample.
  package func device(of row: RowReference) -> HKDevice? { device(row.block.device[row.row]) }

  /// The sample's metadata.
  ///
  /// - Throws: `MetadataCoding.DecodingError` when its bytes make no sense.
  package func metadata(of row: RowReference) throws(MetadataCoding.DecodingError) -> [String: Any]?
  {
    let bytes = row.block.metadata(at: row.row)
    return bytes.isEmpty ? nil : try MetadataCoding.decode([UInt8](bytes))
  }

  /// The identifiers of the live samples that a row contains, in the version that a snapshot has.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when one cannot be read.
  package func members(of row: RowReference, in snapshot: Snapshot) throws -> [UUID] {
    guard let type = type(of: row), let payload = SampleKind(of: type).payload,
      let members = payload.init(Extras(row.block.extras(at: row.row)))?.members, !members.isEmpty
    else { return [] }
    return try snapshot.rows(of: members, subject: row.subject).map(\.id.uuid)
  }
}

extension Collection<UInt8> {
  /// Whether the bytes are text without control characters.
  ///
  /// Programs that use the engine alone may write such for sources, devices and metadata: it is not
  /// HealthKit's, so there are none, but no damage either. Every encoding of this module has
  /// control characters.
  var isPlainText: Bool { !isEmpty && allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
