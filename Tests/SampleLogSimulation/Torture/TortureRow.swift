package import SampleLog

/// A sample of a torture store.
///
/// All its fields are functions of its operation and its index.
///
/// So a row identifies the operation that saved it, the size of that operation, and the expected
/// value of each of its fields.
package struct TortureRow: Equatable {
  package static let types = ["heartRate", "stepCount", "bodyMass"]
  package static let subjects = ["", "ada"]

  package var operation: UInt64
  package var index: Int
  package var size: Int

  package init(operation: UInt64, index: Int, size: Int) {
    self.operation = operation
    self.index = index
    self.size = size
  }

  /// Creates the sample that a row represents, or returns nil if any field has an unexpected value.
  package init?(_ row: Row, _ symbols: SymbolTable) {
    let block = row.block
    let (start, end, value) = (block.start[row.row], block.end[row.row], block.value[row.row])
    guard let operation = UInt64(exactly: start), let size = Int(exactly: end - start),
      let index = Int(exactly: value)
    else { return nil }
    self.init(operation: operation, index: index, size: size)
    guard row.id == id, symbols.text(block.type) == type,
      symbols.text(row.subject) == subject, extras.elementsEqual(block.extras(at: row.row))
    else { return nil }
  }

  package var id: Identifier {
    // Half random and half sequential, because these are stored and looked up differently.
    operation % 2 == 0
      ? Identifier(high: operation, low: UInt64(index))
      : Identifier(
        high: mixed(operation), low: mixed(operation ^ UInt64(index) << 32))
  }

  /// Returns the series that the writer registers.
  package static func registered(_ symbols: SymbolTable) -> SeriesKey {
    SeriesKey(subject: symbols.intern(subjects[1]), type: symbols.intern(types[1]))
  }

  package var type: String { Self.types[Int(operation % 3)] }
  package var subject: String { Self.subjects[Int(operation / 3 % 2)] }

  /// The encoded extras; empty except in every fifth operation.
  var extras: [UInt8] {
    guard operation % 5 == 0 else { return [] }
    var extras = Extras()
    extras.metadata = Array("operation \(operation), \(index % 3)".utf8)
    return extras.encoded
  }

  /// Adds the sample to a batch.
  package func add(to batch: inout Batch, _ symbols: SymbolTable) {
    let number = extras.isEmpty ? 0 : batch.intern(extras: extras)
    batch.add(
      subject: symbols.intern(subject), type: symbols.intern(type), id: id,
      start: Double(operation), end: Double(operation) + Double(size), value: Double(index),
      unit: symbols.intern("count"), source: symbols.intern("torture"), extras: number)
  }
}
