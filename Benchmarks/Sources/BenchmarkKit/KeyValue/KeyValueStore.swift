/// The three ordered tables that hold samples in a key-value store.
enum KeyValueTable: Int, CaseIterable {
  /// Subject, type, start, sequence → the rest of the row.
  case rows
  /// UUID → key of the row.
  case identifiers
  /// Sequence → key of the row, or the record of a deletion.
  case log
}

/// The operations that the benchmark needs of an ordered key-value store.
protocol KeyValueStore: AnyObject {
  associatedtype Writer: KeyValueWriter
  associatedtype Reader: KeyValueReader

  /// Opens the directory, at most once at a time per process.
  init(directory: String) throws

  /// Whether ``KeyValueWriter/putNew(_:_:_:)`` detects keys that other threads are adding.
  static var detectsConcurrentDuplicates: Bool { get }

  /// Runs `body` and commits its changes atomically. Any thread may call this.
  func write(_ body: (Writer) throws -> Void) throws

  /// Runs `body` with a view of everything committed. Any thread may call this.
  func read<Result>(_ body: (Reader) throws -> Result) throws -> Result

  func close() throws
  func beginBulk() throws
  func endBulk() throws
  func quiesce() throws
  func compact() throws
}

/// The changes of one commit.
///
/// Keys and values are copied.
protocol KeyValueWriter {
  func put(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
    throws
  /// Puts a key that must be new, disregarding other changes of this commit.
  func putNew(
    _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
  func remove(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer) throws
  /// Copies a committed value. Returns false if there is none.
  func get(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]) throws
    -> Bool
}

/// A view of the committed data.
protocol KeyValueReader {
  associatedtype Cursor: KeyValueCursor

  /// Calls `body` with a value, which is valid during the call. Returns false if there is none.
  func get(
    _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> Bool
  /// Calls `body` with the value of every key in order. All of them must exist.
  func getAll(
    _ table: KeyValueTable, keys: UnsafeRawBufferPointer, length: Int,
    _ body: (Int, UnsafeRawBufferPointer) -> Void) throws
  /// Calls `body` with a cursor over a table.
  func withCursor<Result>(_ table: KeyValueTable, _ body: (Cursor) throws -> Result) throws
    -> Result
}

/// A position in a table.
protocol KeyValueCursor {
  /// Whether the cursor is at an entry, and not at the end of the table.
  var isValid: Bool { get }
  /// The entry's key, valid until the cursor moves.
  var key: UnsafeRawBufferPointer { get }
  /// The entry's value, valid until the cursor moves.
  var value: UnsafeRawBufferPointer { get }
  /// Moves to the first entry at or after a key.
  func seek(_ key: UnsafeRawBufferPointer)
  /// Moves to the last entry before a key.
  func seekBefore(_ key: UnsafeRawBufferPointer)
  func next()
  /// Throws the error of an earlier move.
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
