import SampleLog
import Testing

@testable import HealthStore

/// Symbols looked up by object identity.
@Suite struct SymbolsOfObjectsTests {
  private final class Object {}

  @Test func `Each object is looked up once`() {
    var symbols = SymbolsOfObjects<Object>()
    let objects = [Object(), Object()]
    var asked: [Symbol] = []
    for _ in 0..<3 {
      for (index, object) in objects.enumerated() {
        let symbol = symbols.symbol(of: object) { _ in
          asked.append(Symbol(index))
          return Symbol(index + 1)
        }
        #expect(symbol == Symbol(index + 1))
      }
    }
    #expect(asked == [0, 1])
  }

  @Test func `Objects beyond the capacity keep their symbols`() {
    var symbols = SymbolsOfObjects<Object>()
    let objects = (0..<100).map { _ in Object() }
    for _ in 0..<3 {
      for (index, object) in objects.enumerated() {
        #expect(symbols.symbol(of: object) { _ in Symbol(index) } == Symbol(index))
      }
    }
  }
}
