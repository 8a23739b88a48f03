import SampleLog
import Synchronization

/// The dictionary of a dictionary-encoded column, which grows as batches add texts.
///
/// Batches share the memory of the dictionary and of columns whose rows all have the same text.
final class ArrowDictionary: Sendable {
  private struct State {
    /// The dictionary index of each symbol, or nil if the symbol has no text.
    var numbers: [Symbol: Int32?] = [:]
    var texts: [String: Int32] = [:]
    var values: [String] = []
    /// The values array of the latest batch.
    var latest: ArrowColumn?
    /// Columns that repeat one index, by that index; -1 for null.
    var repeated: [Int32: ArrowColumn] = [:]
  }

  private let state = Mutex(State())
  private let text: @Sendable (Symbol) -> String?

  init(_ text: @escaping @Sendable (Symbol) -> String?) { self.text = text }

  /// Returns the dictionary's values, which cover all indices assigned so far.
  func values() -> ArrowColumn {
    state.withLock { state in
      if let latest = state.latest, latest.length == state.values.count { return latest }
      let made = ArrowColumn(texts: state.values, owner: ArrowMemory())
      state.latest = made
      return made
    }
  }

  /// Returns the dictionary index of a symbol, or nil if the symbol has no text.
  private func number(_ symbol: Symbol) -> Int32? {
    if let known = state.withLock({ $0.numbers[symbol] }) { return known }
    let text = text(symbol)
    return state.withLock { state in
      var number: Int32?
      if let text {
        number = state.texts[text] ?? Int32(state.values.count)
        if state.texts[text] == nil {
          state.texts[text] = number
          state.values.append(text)
        }
      }
      state.numbers[symbol] = .some(number)
      return number
    }
  }

  /// Returns a column of `count` rows that all have the same symbol.
  func column(repeating symbol: Symbol, _ count: Int) -> ArrowColumn {
    let number = number(symbol)
    let key = number ?? -1
    let known = state.withLock { $0.repeated[key] }
    var column: ArrowColumn
    if let known, known.length >= count {
      column = known
    } else {
      let owner = ArrowMemory()
      let length = max(count, Block.maximumRows)
      let cells = owner.allocate(length, of: Int32.self)
      cells.update(repeating: number ?? 0, count: length)
      column = ArrowColumn(length: length, cells, owner: owner)
      if number == nil { column.setNulls { _ in true } }
      state.withLock { $0.repeated[key] = column }
    }
    column.length = count
    column.nullCount = number == nil ? count : 0
    return column
  }

  /// Returns the column for the selected rows of a block.
  func column(_ symbols: UnsafePointer<Symbol>, _ rows: [Int32], _ owner: ArrowMemory)
    -> ArrowColumn
  {
    guard let first = rows.first else { return column(repeating: 0, 0) }
    let one = symbols[Int(first)]
    // In most blocks, all rows have the same symbol.
    if rows.allSatisfy({ symbols[Int($0)] == one }) { return column(repeating: one, rows.count) }
    let cells = owner.allocate(rows.count, of: Int32.self)
    // A block has few distinct symbols; this cache avoids a lock for each row.
    var known: [(symbol: Symbol, number: Int32?)] = [(one, number(one))]
    var latest = known[0]
    var hasNull = false
    for (index, row) in rows.enumerated() {
      let symbol = symbols[Int(row)]
      if symbol != latest.symbol {
        if let found = known.first(where: { $0.symbol == symbol }) {
          latest = found
        } else {
          latest = (symbol, number(symbol))
          if known.count < 16 { known.append(latest) }
        }
      }
      cells[index] = latest.number ?? 0
      hasNull = hasNull || latest.number == nil
    }
    var column = ArrowColumn(length: rows.count, cells, owner: owner)
    if hasNull { column.setNulls { self.number(symbols[Int(rows[$0])]) == nil } }
    return column
  }
}
