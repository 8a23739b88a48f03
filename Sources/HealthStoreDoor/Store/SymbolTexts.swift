import CDoor
import HealthStore
import SampleLog
import Synchronization

/// A cache of the texts of symbols, at addresses that stay valid until the store is released.
final class SymbolTexts: Sendable {
  /// The kind of name that a symbol stands for.
  enum Role: Int, Sendable, CaseIterable {
    case subject, type, unit, source, device
  }

  private struct Texts: @unchecked Sendable {
    var known = [[Symbol: door_text]](repeating: [:], count: Role.allCases.count)
    var memory: [UnsafeMutablePointer<CChar>] = []
  }

  private let texts = Mutex(Texts())
  private let make: @Sendable (Role, Symbol) -> String?

  init(_ reader: RowReader, _ symbols: SymbolTable) {
    make = { role, symbol in
      switch role {
      case .subject: symbols.text(symbol)
      case .type: reader.typeName(symbol, symbols)
      case .unit: symbol == 0 ? nil : symbols.text(symbol)
      case .source: reader.sourceName(symbol)
      case .device: reader.deviceText(symbol)
      }
    }
  }

  deinit { texts.withLock { for piece in $0.memory { piece.deallocate() } } }

  /// Returns the text of a symbol, or a null text if it has none.
  func text(_ role: Role, _ symbol: Symbol) -> door_text {
    if let known = texts.withLock({ $0.known[role.rawValue][symbol] }) { return known }
    let text = make(role, symbol)
    return texts.withLock { texts in
      if let known = texts.known[role.rawValue][symbol] { return known }
      var made = door_text()
      if let text {
        let bytes = Array(text.utf8)
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { memory[index] = CChar(bitPattern: byte) }
        memory[bytes.count] = 0
        texts.memory.append(memory)
        made = door_text(bytes: memory, count: Int64(bytes.count))
      }
      texts.known[role.rawValue][symbol] = made
      return made
    }
  }

  func string(_ role: Role, _ symbol: Symbol) -> String? { make(role, symbol) }
}
