import SampleLog

/// The symbols of small codes.
struct SymbolMap {
  private let symbols: [Symbol]
  private var codes: [UInt8] = []

  init(_ table: SymbolTable, _ names: [String]) {
    symbols = names.map { table.intern($0) }
    codes = [UInt8](repeating: 0, count: Int(symbols.max() ?? 0) + 1)
    for (code, symbol) in symbols.enumerated() { codes[Int(symbol)] = UInt8(code) }
  }

  @inline(__always)
  func symbol(_ code: UInt8) -> Symbol { symbols[Int(code)] }

  @inline(__always)
  func code(_ symbol: Symbol) -> UInt8 { codes[Int(symbol)] }
}
