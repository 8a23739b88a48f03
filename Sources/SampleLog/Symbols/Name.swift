/// An interned name of a subject, type, unit, source or device.
///
/// A name is a number that represents a string. It belongs to the database that made it; any other
/// database rejects it with ``StoreError/invalid(_:)``. Create names with ``Database/name(_:)`` and
/// read their text with ``Snapshot/text(_:)``.
public struct Name: Hashable, Sendable {
  /// The number of the name in its database.
  ///
  /// Numbers are small, which makes them suitable as indices of a client's own tables. They are not
  /// valid in another process.
  public let number: UInt32
  /// The number of the symbol table that issued the name; 0 for the empty name.
  @usableFromInline let table: UInt32

  @inlinable
  init(_ number: Symbol, of table: UInt32) {
    self.number = number
    self.table = number == 0 ? 0 : table
  }

  /// The empty name, which means "none" and is the same in every database.
  @inlinable public static var empty: Name { Name(0, of: 0) }
}

/// The rows of one type that belong to one subject.
///
/// A series belongs to the database that made it with ``Database/series(subject:type:)``. Any other
/// database rejects it with ``StoreError/invalid(_:)``, so that no row is stored or read under the
/// wrong subject.
public struct Series: Hashable, Sendable {
  @usableFromInline package let key: SeriesKey
  @usableFromInline let table: UInt32

  @inlinable
  init(_ key: SeriesKey, of table: UInt32) {
    self.key = key
    self.table = table
  }

  /// The subject that the rows belong to.
  public var subject: Name { Name(key.subject, of: table) }
  /// The type of the rows.
  public var type: Name { Name(key.type, of: table) }
}

/// The symbol table that the names and series of a request belong to.
struct NameOrigin: Sendable {
  private var table: UInt32?
  private var isMixed = false

  /// Records the table of a series or name; the empty name has no table.
  mutating func add(_ other: UInt32) {
    if other == 0 { return }
    if let table, table != other { isMixed = true }
    table = other
  }

  /// Throws unless all recorded tables are `symbols`.
  func check(_ symbols: SymbolTable) throws {
    guard isMixed || table.map({ $0 != symbols.number }) ?? false else { return }
    throw StoreError.invalid(
      "A name or series belongs to another database; make it with the one that it is used with.")
  }
}

extension SymbolTable {
  /// Returns the public name for a symbol.
  package func name(of symbol: Symbol) -> Name { Name(symbol, of: number) }

  /// Returns the public series for a key.
  package func series(of key: SeriesKey) -> Series { Series(key, of: number) }

  /// Returns the symbol of a name.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the name belongs to another database.
  func symbol(of name: Name) throws -> Symbol {
    var origin = NameOrigin()
    origin.add(name.table)
    try origin.check(self)
    return name.number
  }

  /// Returns the key of a series.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the series belongs to another database.
  func key(of series: Series) throws -> SeriesKey {
    var origin = NameOrigin()
    origin.add(series.table)
    try origin.check(self)
    return series.key
  }

  /// Returns the keys of series.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if a series belongs to another database.
  func keys(of series: [Series]) throws -> [SeriesKey] {
    var origin = NameOrigin()
    for one in series { origin.add(one.table) }
    try origin.check(self)
    return series.map(\.key)
  }
}
