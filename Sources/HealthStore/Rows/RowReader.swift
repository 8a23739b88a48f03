import Foundation
package import SampleLog

/// Maps the rows of one store to HealthKit's objects by resolving their symbols and decoding their
/// bytes.
package final class RowReader: Sendable {
  let symbols: SymbolTable
  private let types: SymbolCache<HKSampleType?, Never>
  private let units: SymbolCache<HKUnit?, Never>
  private let revisions: SymbolCache<HKSourceRevision?, Never>
  private let devices: SymbolCache<HKDevice?, Never>

  /// Creates a reader for the rows of a database.
  package init(_ database: Database) {
    let symbols = database.symbols
    self.symbols = symbols
    types = SymbolCache { HKObjectType.make(identifier: symbols.text($0)) as? HKSampleType }
    units = SymbolCache { HKUnit.named(symbols.text($0)) }
    revisions = SymbolCache { HKSourceRevision(stored: symbols.name($0)) }
    devices = SymbolCache { HKDevice(stored: symbols.name($0)) }
  }

  /// Returns the type that a symbol names, or `nil` if it is not one of HealthKit's.
  package func type(_ symbol: Symbol) -> HKSampleType? { types(symbol) }

  /// Returns the unit that a symbol names, or the null unit if there is none.
  func unit(_ symbol: Symbol) -> HKUnit { symbol == 0 ? .null : units(symbol) ?? .null }

  /// Returns the source revision that a symbol names, or an unknown one if there is none.
  package func sourceRevision(_ symbol: Symbol) -> HKSourceRevision {
    symbol == 0 ? .unknown : revisions(symbol) ?? .unknown
  }

  package func device(_ symbol: Symbol) -> HKDevice? { symbol == 0 ? nil : devices(symbol) }

  // These return whether a symbol's bytes can be decoded; only another program writes malformed
  // ones.

  func hasUnit(_ symbol: Symbol) -> Bool { symbol == 0 || units(symbol) != nil }

  func hasSourceRevision(_ symbol: Symbol) -> Bool {
    symbol == 0 || revisions(symbol) != nil || symbols.name(symbol).isPlainText
  }

  func hasDevice(_ symbol: Symbol) -> Bool {
    symbol == 0 || devices(symbol) != nil || symbols.name(symbol).isPlainText
  }

  /// Returns the type, or nil if the identifier is not one of HealthKit's.
  package func type(of row: Row) -> HKSampleType? { type(row.block.type) }

  /// Returns the type's identifier, even if it is not one of HealthKit's.
  package func typeIdentifier(of row: Row) -> String { symbols.text(row.block.type) }

  package func subject(of row: Row) -> String { symbols.text(row.subject) }

  /// Returns the unit's string, or an empty string if the sample has no quantity.
  package func unit(of row: Row) -> String { symbols.text(row.block.unit[row.row]) }

  /// Returns the source revision that recorded the sample.
  package func sourceRevision(of row: Row) -> HKSourceRevision {
    sourceRevision(row.block.source[row.row])
  }

  /// Returns the device that recorded the sample.
  package func device(of row: Row) -> HKDevice? { device(row.block.device[row.row]) }

  /// Returns the sample's metadata.
  ///
  /// - Throws: `MetadataCoding.DecodingError` if its bytes are malformed.
  package func metadata(of row: Row) throws(MetadataCoding.DecodingError) -> [String: Any]? {
    let bytes = row.block.metadata(at: row.row)
    return bytes.isEmpty ? nil : try MetadataCoding.decode([UInt8](bytes))
  }
}

extension Collection<UInt8> {
  /// Whether the bytes are text without control characters.
  ///
  /// Programs that use the engine directly may write plain text as sources, devices and metadata.
  /// Such bytes are neither a HealthKit encoding nor damage, so the field counts as absent. Every
  /// encoding of this module contains control characters, so the two cannot be confused.
  var isPlainText: Bool { !isEmpty && allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
