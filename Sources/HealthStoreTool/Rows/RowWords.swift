import HealthStore
import SampleLog

/// What many rows have in common, put into words once.
final class RowWords {
  let reader: RowReader
  private let database: Database
  private var symbols: SymbolTable { database.symbols }

  private var types: [Symbol: String] = [:]

  init(_ database: Database) {
    reader = RowReader(database)
    self.database = database
  }

  /// The short name of a row's type.
  func type(of row: RowReference) -> String { type(row.block.type) }

  /// The short name of a type.
  func type(_ symbol: Symbol) -> String {
    if let known = types[symbol] { return known }
    let identifier = symbols.text(symbol)
    // That of a type that this version does not know could not be read back.
    let isKnown = HKSampleType.named(identifier) != nil
    let name = isKnown ? HKSampleType.shortName(ofIdentifier: identifier) : identifier
    types[symbol] = name
    return name
  }

  /// The sample that a row is, as the store has it now; nil for an unknown type.
  ///
  /// A snapshot of its own, because one that were kept would keep files of a feed that follows.
  func sample(of row: RowReference) throws -> HKSample? {
    try StoredObjects(reader, database.snapshot()).sample(of: row)
  }

  /// The name that an imported category value had for which this version knows no number; nil for
  /// all others.
  func unknownValueName(_ row: RowReference) throws -> String? {
    guard row.value == Double(CategoryValueNames.unknownValue), row.block.unit[row.row] == 0 else {
      return nil
    }
    return try reader.metadata(of: row)?[CategoryValueNames.unknownNameKey] as? String
  }

  /// The identifiers of the live samples that a row contains, as the store has them now.
  func members(of row: RowReference) throws -> [UUID] {
    try reader.members(of: row, in: database.snapshot())
  }

  /// The name of a subject.
  func subject(_ symbol: Symbol) -> String { symbols.text(symbol) }
}
