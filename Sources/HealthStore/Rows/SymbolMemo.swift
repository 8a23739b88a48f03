import SampleLog

/// Memoises a predicate on symbols.
final class SymbolMemo<Failure: Error>: Sendable {
  private let answers = Locked<[UInt8]>([])
  private let ask: @Sendable (Symbol) throws(Failure) -> Bool

  init(_ ask: @escaping @Sendable (Symbol) throws(Failure) -> Bool) { self.ask = ask }

  func callAsFunction(_ symbol: Symbol) throws(Failure) -> Bool {
    let index = Int(symbol)
    let known = answers.withLock { index < $0.count ? $0[index] : 0 }
    if known > 0 { return known == 2 }
    let answer = try ask(symbol)
    answers.withLock { answers in
      if index >= answers.count {
        answers.append(contentsOf: repeatElement(0, count: index + 1 - answers.count))
      }
      answers[index] = answer ? 2 : 1
    }
    return answer
  }
}
