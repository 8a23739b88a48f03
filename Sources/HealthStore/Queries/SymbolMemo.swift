import SampleLog

/// The answer to one question about symbols, asked once for each.
final class SymbolMemo<Failure: Error>: Sendable {
  private let answers = Locked<[UInt8]>([])
  private let ask: @Sendable (Symbol) throws(Failure) -> Bool

  init(_ ask: @escaping @Sendable (Symbol) throws(Failure) -> Bool) { self.ask = ask }

  func callAsFunction(_ symbol: Symbol) throws(Failure) -> Bool {
    let place = Int(symbol)
    let known = answers.withLock { place < $0.count ? $0[place] : 0 }
    if known > 0 { return known == 2 }
    let answer = try ask(symbol)
    answers.withLock { answers in
      if place >= answers.count {
        answers.append(contentsOf: repeatElement(0, count: place + 1 - answers.count))
      }
      answers[place] = answer ? 2 : 1
    }
    return answer
  }
}
