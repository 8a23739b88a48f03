import HealthStore
import SampleLog

/// The text of values that many rows share.
final class RowWords {
  let reader: RowReader
  private let database: Database
  private var symbols: SymbolTable { database.symbols }

  private var types: [Symbol: String] = [:]

  init(_ database: Database) {
    reader = RowReader(database)
    self.database = database
  }

  /// Returns the short name of a row's type.
  func type(of row: Row) -> String { type(row.block.type) }

  /// Returns the short name of a type, or the identifier if this version does not know the type.
  func type(_ symbol: Symbol) -> String {
    if let known = types[symbol] { return known }
    let identifier = symbols.text(symbol)
    // The short name of an unknown type could not be parsed back.
    let isKnown = HKSampleType.named(identifier) != nil
    let name = isKnown ? HKSampleType.shortName(ofIdentifier: identifier) : identifier
    types[symbol] = name
    return name
  }

  /// Returns the sample of a row in its current state, or nil for an unknown type.
  ///
  /// Takes a new snapshot each time, because a long-lived one would pin files while `changes` runs
  /// with `--follow`.
  func sample(of row: Row) throws -> HKSample? {
    try StoredObjects(reader, database.snapshot()).sample(of: row)
  }

  /// Returns the imported name of a category value that this version does not know, or nil.
  func unknownValueName(_ row: Row) throws -> String? {
    guard row.value == Double(CategoryValueNames.unknownValue), row.block.unit[row.row] == 0 else {
      return nil
    }
    return try reader.metadata(of: row)?[CategoryValueNames.unknownNameKey] as? String
  }

  /// Returns the UUIDs of the contained samples that are currently not deleted.
  func members(of row: Row) throws -> [UUID] {
    try reader.members(of: row, in: database.snapshot())
  }

  func subject(_ symbol: Symbol) -> String { symbols.text(symbol) }
}
