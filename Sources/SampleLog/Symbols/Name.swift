/// A name that many rows have: of a subject, a type, a unit, a source or a device.
///
/// A name is a number for text, and belongs to the database that made it: another one refuses it
/// with ``StoreError/invalid(_:)``. Make one with ``Database/name(_:)``, and read its text with
/// ``Snapshot/text(_:)``.
public struct Name: Hashable, Sendable {
  /// The number of the name in its database, for tables that a caller keeps: numbers are small and
  /// mean nothing in another process.
  public let number: UInt32
  /// The number of the table that gave it; 0 for the empty name.
  @usableFromInline let table: UInt32

  @inlinable
  init(_ number: Symbol, of table: UInt32) {
    self.number = number
    self.table = number == 0 ? 0 : table
  }

  /// The empty name, which stands for none and is the same in every database.
  @inlinable public static var empty: Name { Name(0, of: 0) }
}

/// The rows of one type that belong to one subject.
///
/// A series belongs to the database that made it, with ``Database/series(subject:type:)``: another
/// one refuses it with ``StoreError/invalid(_:)``, so that nothing is stored or read under another
/// subject's name.
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

/// The table that the names and series of a request are from.
struct NameOrigin: Sendable {
  private var table: UInt32?
  private var isMixed = false

  /// Takes note of the table that a series, or a name that is not empty, is from.
  mutating func add(_ other: UInt32) {
    if other == 0 { return }
    if let table, table != other { isMixed = true }
    table = other
  }

  /// Throws unless all are from one table.
  func check(_ symbols: SymbolTable) throws {
    guard isMixed || table.map({ $0 != symbols.number }) ?? false else { return }
    throw StoreError.invalid(
      "A name or series belongs to another database; make it with the one that it is used with.")
  }
}

extension SymbolTable {
  /// The name that clients know a number by.
  package func name(of symbol: Symbol) -> Name { Name(symbol, of: number) }

  /// The series that clients know a key by.
  package func series(of key: SeriesKey) -> Series { Series(key, of: number) }

  /// Returns the number of a name.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` for a name of another database.
  func symbol(of name: Name) throws -> Symbol {
    var origin = NameOrigin()
    origin.add(name.table)
    try origin.check(self)
    return name.number
  }

  /// Returns the keys of series.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` for a series of another database.
  func keys(of series: [Series]) throws -> [SeriesKey] {
    var origin = NameOrigin()
    for one in series { origin.add(one.table) }
    try origin.check(self)
    return series.map(\.key)
  }
}
