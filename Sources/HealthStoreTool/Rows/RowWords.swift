import HealthStore
import SampleLog

/// What many rows have in common, put into words once.
final class RowWords {
  let reader: RowReader
  private let symbols: SymbolTable

  private struct Origin: Hashable {
    var source: Symbol
    var device: Symbol
  }

  private var types: [Symbol: String] = [:]
  private var origins: [Origin: JSONObject] = [:]

  init(_ database: Database) {
    reader = RowReader(database)
    symbols = database.symbols
  }

  /// The short name of a row's type.
  func type(of row: RowReference) -> String { type(row.block.type) }

  /// The short name of a type.
  func type(_ symbol: Symbol) -> String {
    if let known = types[symbol] { return known }
    let name = HKSampleType.shortName(ofIdentifier: symbols.text(symbol))
    types[symbol] = name
    return name
  }

  /// The name of a subject.
  func subject(_ symbol: Symbol) -> String { symbols.text(symbol) }

  /// Who and what recorded a row, as members of an object.
  func origin(of row: RowReference) -> JSONObject {
    let key = Origin(source: row.block.source[row.row], device: row.block.device[row.row])
    if let known = origins[key] { return known }
    var object = JSONObject()
    let revision = reader.sourceRevision(of: row)
    object.add(ifAny: "source", revision.source.name)
    object.add(ifAny: "bundleIdentifier", revision.source.bundleIdentifier)
    object.add(ifAny: "version", revision.version)
    if let device = reader.device(of: row) { object.add("device", JSONObject(device: device)) }
    // Sources come in thousands at the very most, but a bound costs nothing.
    if origins.count >= 4096 { origins.removeAll() }
    origins[key] = object
    return object
  }
}
