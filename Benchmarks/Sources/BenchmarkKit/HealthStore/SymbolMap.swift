import SampleLog

/// Translates names of the store to the stream's codes.
struct SymbolMap {
  private let names: [Name]
  private var codes: [UInt8] = []

  init(_ database: Database, _ texts: [String]) {
    names = texts.map { database.name($0) }
    codes = [UInt8](repeating: 0, count: Int(names.map(\.number).max() ?? 0) + 1)
    for (code, name) in names.enumerated() { codes[Int(name.number)] = UInt8(code) }
  }

  @inline(__always)
  func name(_ code: UInt8) -> Name { names[Int(code)] }

  @inline(__always)
  func code(_ name: Name) -> UInt8 { codes[Int(name.number)] }
}
