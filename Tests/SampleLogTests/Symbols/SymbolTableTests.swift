@testable import SampleLog
import SampleLogSimulation
import Testing

/// Names by number, and the order of their bytes.
@Suite struct SymbolTableTests {
  @Test func `Ranks follow the bytes of names, whenever names were added`() {
    let table = SymbolTable()
    var random = Seeded(state: 5)
    var names: [[UInt8]] = [[]]
    for count in [0, 1, 300, 0, 2, 1000] {
      for _ in 0..<count {
        let name = (0..<random.below(5)).map { _ in UInt8(random.below(256)) }
        if Int(table.intern(name)) == names.count { names.append(name) }
      }
      let ranks = table.ranks()
      let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(ranks.count == names.count)
      for (symbol, name) in names.enumerated() {
        #expect(sorted[Int(ranks[symbol])] == name, "\(name)")
      }
    }
    #expect(table.names([0, 2, 1]) == [names[0], names[2], names[1]])
  }
}
