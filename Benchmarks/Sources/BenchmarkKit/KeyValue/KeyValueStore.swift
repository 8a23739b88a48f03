/// The three ordered tables that hold samples in a store of keys and values.
enum KeyValueTable: Int, CaseIterable {
  /// Subject, type, start, sequence → the rest of the row.
  case rows
  /// UUID → key of the row.
  case identifiers
  /// Sequence → key of the row, or what a deletion leaves.
  case log
}

/// An ordered store of keys and values, as far as the benchmark needs one.
protocol KeyValueStore: AnyObject {
  associatedtype Writer: KeyValueWriter
  associatedtype Reader: KeyValueReader

  /// How often the benchmark's own process may open the directory at a time is once.
  init(directory: String) throws

  /// Whether ``KeyValueWriter/putNew(_:_:_:)`` sees the keys that other threads are adding.
  static var detectsConcurrentDuplicates: Bool { get }

  /// Runs `body` and commits what it wrote, all of it or nothing; any thread may call this.
  func write(_ body: (Writer) throws -> Void) throws

  /// Runs `body` with a view of everything committed; any thread may call this.
  func read<Result>(_ body: (Reader) throws -> Result) throws -> Result

  func close() throws
  func beginBulk() throws
  func endBulk() throws
  func settle() throws
  func compact() throws
}

/// Takes the changes of one commit; keys and values are copied.
protocol KeyValueWriter {
  func put(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
    throws
  /// Puts a key that must not be in the table, other changes of this commit aside.
  func putNew(
    _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
  func remove(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer) throws
  /// Copies a committed value; nil when there is none.
  func get(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]) throws
    -> Bool
}

/// A view of what is committed.
protocol KeyValueReader {
  associatedtype Cursor: KeyValueCursor

  /// Calls `body` with a value, which is valid during the call; false when there is none.
  func get(
    _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> Bool
  /// Calls `body` with the value of every key, in their order; all of them must be there.
  func getAll(
    _ table: KeyValueTable, keys: UnsafeRawBufferPointer, length: Int,
    _ body: (Int, UnsafeRawBufferPointer) -> Void) throws
  /// Calls `body` with a cursor over a table.
  func withCursor<Result>(_ table: KeyValueTable, _ body: (Cursor) throws -> Result) throws
    -> Result
}

/// A position in a table.
protocol KeyValueCursor {
  /// Whether there is an entry here; the end of the table otherwise.
  var isValid: Bool { get }
  /// The entry's key, until the cursor moves.
  var key: UnsafeRawBufferPointer { get }
  /// The entry's value, until the cursor moves.
  var value: UnsafeRawBufferPointer { get }
  /// Moves to the first entry at or after a key.
  func seek(_ key: UnsafeRawBufferPointer)
  /// Moves to the last entry before a key.
  func seekBefore(_ key: UnsafeRawBufferPointer)
  func next()
  /// Throws what went wrong while the cursor moved.
  func check() throws
}

extension KeyValueReader {
  func getAll(
    _ table: KeyValueTable, keys: UnsafeRawBufferPointer, length: Int,
    _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) throws {
    for index in 0..<keys.count / length {
      let key = UnsafeRawBufferPointer(rebasing: keys[index * length..<(index + 1) * length])
      guard try get(table, key, { body(index, $0) }) else {
        throw KeyValueError(store: "store", message: "a row of the log is missing")
      }
    }
  }
}
