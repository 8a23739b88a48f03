import Foundation
package import SampleLog

/// The rows of a database in HealthKit's words, for programs that read through the engine.
package struct RowReader: Sendable {
  private let context: StoreContext

  /// Reads rows of this database.
  package init(_ database: Database) { context = StoreContext(database.symbols) }

  /// The type, or nil when the identifier is none of HealthKit's.
  package func type(of row: RowReference) -> HKSampleType? { context.type(row.block.type) }

  /// The type's identifier, whether it is one of HealthKit's or not.
  package func typeIdentifier(of row: RowReference) -> String {
    context.symbols.text(row.block.type)
  }

  /// Whose data it is.
  package func subject(of row: RowReference) -> String { context.symbols.text(row.block.subject) }

  /// The unit's string; empty for samples without a quantity.
  package func unit(of row: RowReference) -> String {
    context.symbols.text(row.block.unit[row.row])
  }

  /// Who recorded the sample.
  package func sourceRevision(of row: RowReference) -> HKSourceRevision {
    context.sourceRevision(row.block.source[row.row])
  }

  /// What recorded the sample.
  package func device(of row: RowReference) -> HKDevice? {
    context.device(row.block.device[row.row])
  }

  /// The sample's metadata.
  ///
  /// - Throws: ``HKInvalidSampleError`` when its bytes make no sense.
  package func metadata(of row: RowReference) throws -> [String: Any]? {
    guard let extras = extras(of: row), !extras.metadata.isEmpty else { return nil }
    return try MetadataCoding.decode(extras.metadata)
  }

  /// The identifiers of the samples in a correlation; empty for anything else.
  package func members(of row: RowReference) -> [UUID] {
    CorrelationPayload(extras(of: row))?.members.map(\.id.uuid) ?? []
  }

  private func extras(of row: RowReference) -> Extras? {
    let bytes = row.block.extras(at: row.row)
    return bytes.isEmpty ? nil : Extras(bytes)
  }
}
