@testable import SampleLog
import SampleLogSimulation
import Testing

/// Symbols of names, and their order by bytes.
@Suite struct SymbolTableTests {
  @Test func `Ranks follow the bytes of names in any order of insertion`() {
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

  @Test func `Names with leases only are removed with the last lease, and their numbers reused`() {
    let table = SymbolTable()
    let ada = table.intern("ada")
    var first: SymbolLease? = SymbolLease(table)
    var second: SymbolLease? = SymbolLease(table)
    #expect(first?.symbol("ada") == ada)
    let eve = first?.symbol("eve")
    #expect(eve != ada && eve == first?.symbol("eve") && eve == second?.symbol("eve"))
    #expect(table.find(Array("eve".utf8)) == eve)
    let types = table.childTypes(of: table.intern("walk"))
    #expect(types.isEmpty)
    let points = second?.symbol(ChildType.name("point", of: "walk"))
    #expect(table.childTypes(of: table.intern("walk")) == [points])
    first = nil
    #expect(table.find(Array("eve".utf8)) == eve)
    second = nil
    #expect(table.find(Array("eve".utf8)) == nil)
    #expect(table.childTypes(of: table.intern("walk")).isEmpty)
    #expect(table.find(Array("ada".utf8)) == ada)
    #expect(table.intern("bob") == eve)
    #expect(table.text(table.intern("bob")) == "bob")
  }

  @Test func `The symbol of an object's name is cached by object`() {
    final class Object {}
    let table = SymbolTable()
    let lease = SymbolLease(table)
    let objects = (0..<40).map { _ in Object() }
    let symbols = objects.indices.map { number in
      lease.symbol(of: objects[number]) { Array("name \(number)".utf8) }
    }
    #expect(Set(symbols).count == 40)
    for round in 0..<2 {
      var named = 0
      let again = objects.indices.map { number in
        lease.symbol(of: objects[number]) {
          named += 1
          return Array("name \(number)".utf8)
        }
      }
      #expect(again == symbols, "\(round)")
      // Sixteen objects are cached; the names of the others are looked up.
      #expect(named == 40 - 16)
    }
    for number in objects.indices { #expect(lease.symbol("name \(number)") == symbols[number]) }
  }

  @Test func `Leases of a million names reuse the numbers of a few`() {
    let table = SymbolTable()
    _ = table.intern("ada")
    for number in 0..<20_000 {
      let lease = SymbolLease(table)
      for _ in 0..<3 { #expect(lease.symbol("name \(number)") == 2) }
      withExtendedLifetime(lease) {}
    }
    #expect(table.count == 2)
    _ = table.ranks()
  }

  @Test func `Numbers released at the end of the table are assigned once`() {
    var state = SymbolTableState()
    var names: [Symbol: String] = [:]
    for round in 0..<50 {
      // Rising and falling, so that numbers lie beyond the table's end, and within it again.
      for number in 0..<(round * 7) % 20 {
        let name = "\(round)/\(number)"
        let symbol = state.lease(Array(name.utf8)).symbol
        #expect(names.updateValue(name, forKey: symbol) == nil)
      }
      let order = round % 2 == 0 ? names.keys.sorted() : names.keys.sorted().reversed()
      for symbol in order.prefix((round * 5) % 23) {
        state.release(symbol)
        names[symbol] = nil
      }
      for (symbol, name) in names { #expect(state.find(Array(name.utf8)) == symbol) }
    }
  }

  @Test func `A leased name that is then stored keeps its number`() {
    let table = SymbolTable()
    for keep in [
      { table.intern("eve") },
      {
        _ = table.keep(1); return 1
      },
    ] as [() -> Symbol] {
      var lease: SymbolLease? = SymbolLease(table)
      let eve = lease?.symbol("eve")
      #expect(keep() == eve)
      lease = nil
      #expect(table.find(Array("eve".utf8)) == eve)
      #expect(SymbolLease(table).symbol("bob") != eve)
    }
    #expect(table.keep(7) == nil)
    #expect(table.keep(0) == [])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Leases and ranks agree with a model after a random workload`(seed: UInt64) {
    var random = Seeded(mixing: seed, 9)
    let table = SymbolTable()
    var kept: [String: Symbol] = [:]
    var leases: [(lease: SymbolLease, name: String, symbol: Symbol)] = []
    for _ in 0..<600 {
      let name = "\(random.below(40))"
      switch random.below(8) {
      case 0..<3:
        let lease = SymbolLease(table)
        leases.append((lease, name, lease.symbol(name)))
      case 3..<6: if !leases.isEmpty { leases.remove(at: random.below(leases.count)) }
      case 6: if random.oneIn(4) { kept[name] = table.intern(name) }
      default:
        let ranks = table.ranks()
        #expect(ranks.count == table.count)
        let known = (0..<table.count).map { Symbol($0) }.sorted {
          ranks[Int($0)] < ranks[Int($1)]
        }
        for (one, next) in zip(known, known.dropFirst()) {
          #expect(!table.name(next).lexicographicallyPrecedes(table.name(one)))
        }
      }
      for one in leases { #expect(table.text(one.symbol) == one.name) }
      for (name, symbol) in kept { #expect(table.find(Array(name.utf8)) == symbol) }
      let names = Set(leases.map(\.name)).union(kept.keys)
      #expect(Set((0..<40).map { "\($0)" }.filter { table.find(Array($0.utf8)) != nil }) == names)
    }
    leases = []
    #expect(table.count <= Int(kept.values.max() ?? 0) + 1)
  }
}
