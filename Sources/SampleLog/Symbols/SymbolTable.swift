/// The byte strings that rows name by number, kept once for the whole process.
///
/// Numbers are given in order of first use and mean nothing outside this table: files carry
/// their own. Number 0 is the empty string and stands for "none".
public final class SymbolTable: Sendable {
  private struct State {
    var numbers: [ByteKey: Symbol] = [ByteKey([]): 0]
    var names: [[UInt8]] = [[]]
    /// The numbers of owned types, by the name of their owners' type.
    var owned: [ByteKey: [Symbol]] = [:]

    mutating func intern(_ name: [UInt8]) -> Symbol {
      if name.isEmpty { return 0 }
      let new = Symbol(names.count)
      // Looked up once, whether it is new or not.
      func number(_ entry: inout Symbol) -> Symbol { entry }
      let symbol = number(&numbers[ByteKey(name), default: new])
      if symbol == new {
        names.append(name)
        if let owner = OwnedType.owner(name) {
          owned[ByteKey([UInt8](owner)), default: []].append(symbol)
        }
      }
      return symbol
    }
  }

  /// The numbers in the order of their names' bytes, and where in it each is.
  private struct Order {
    var symbols: [Symbol] = [0]
    var ranks: [UInt32] = [0]

    /// Takes the names that are new.
    mutating func update(_ names: [[UInt8]]) {
      func precedes(_ one: Symbol, _ other: Symbol) -> Bool {
        names[Int(one)].precedes(names[Int(other)])
      }
      symbols += (ranks.count..<names.count).map { Symbol($0) }.sorted(by: precedes)
      // Two sorted runs, which the library's sort merges.
      symbols.sort(by: precedes)
      ranks = [UInt32](repeating: 0, count: names.count)
      for (rank, symbol) in symbols.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
    }
  }

  private let state = Locked(State())
  private let order = Locked(Order())
  /// The subjects that a segment named last.
  private let lastSubjects = Locked<SubjectList?>(nil)
  /// The streams of identifiers that the store's files name.
  package let streams = IdentifierStreams()

  /// Creates a table that knows the empty string only.
  public init() {}

  /// Returns the number of a byte string, giving it one when it is new.
  public func intern(_ name: [UInt8]) -> Symbol {
    state.withLock { $0.intern(name) }
  }

  /// Returns the numbers of byte strings, giving one to each that is new.
  func intern(_ names: [[UInt8]]) -> [Symbol] {
    state.withLock { state in
      state.numbers.reserveCapacity(names.count)
      state.names.reserveCapacity(names.count)
      return names.map { state.intern($0) }
    }
  }

  /// Returns the number of a string's UTF-8 bytes, giving it one when it is new.
  public func intern(_ name: String) -> Symbol {
    intern([UInt8](name.utf8))
  }

  /// Returns the subjects that a segment names in some bytes, which are read unless the segment
  /// before named the same.
  func subjects(named bytes: UnsafeRawBufferPointer) throws(CodecError) -> SubjectList {
    if let last = lastSubjects.withLock({ $0 }), last.equals(bytes) { return last }
    let list = SubjectList(try SubjectNames(bytes))
    lastSubjects.withLock { $0 = list }
    return list
  }

  /// Returns the number of a byte string that has one.
  public func find(_ name: [UInt8]) -> Symbol? {
    state.withLock { $0.numbers[ByteKey(name)] }
  }

  /// Returns the byte string of a number this table gave.
  public func name(_ symbol: Symbol) -> [UInt8] {
    state.withLock { $0.names[Int(symbol)] }
  }

  /// Returns the byte strings of numbers this table gave.
  func names(_ symbols: [Symbol]) -> [[UInt8]] {
    state.withLock { state in symbols.map { state.names[Int($0)] } }
  }

  /// Returns for each number how many names come before its own in the order of their bytes.
  ///
  /// Comparing names takes most of the time of sorting them, so their order is kept.
  ///
  /// - Complexity: O(*n*) for *n* names where some are new, which are sorted; else O(1).
  func ranks() -> [UInt32] {
    order.withLock { order in
      let names = state.withLock { $0.names }
      if names.count > order.ranks.count { order.update(names) }
      return order.ranks
    }
  }

  /// Returns the byte string of a number as text; bytes that are not UTF-8 are repaired.
  public func text(_ symbol: Symbol) -> String {
    String(decoding: name(symbol), as: UTF8.self)
  }

  /// Whether a number is that of an ``OwnedType``.
  public func isOwnedType(_ symbol: Symbol) -> Bool {
    state.withLock { !$0.owned.isEmpty && OwnedType.isName($0.names[Int(symbol)]) }
  }

  /// The types whose rows belong to rows of a type.
  package func types(ownedBy type: Symbol) -> [Symbol] {
    state.withLock { state in
      if state.owned.isEmpty { return [] }
      return state.owned[ByteKey(state.names[Int(type)])] ?? []
    }
  }

  /// How many numbers have been given.
  public var count: Int { state.withLock { $0.names.count } }
}
