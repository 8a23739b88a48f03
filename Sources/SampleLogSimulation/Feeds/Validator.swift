/// One property of histories, as a pure function that says where a history breaks it.
package struct Validator: Sendable {
  package let name: String
  /// Returns a sentence for each breach.
  package let breaches: @Sendable (History) -> [String]

  /// All properties.
  package static let all = [
    ordered, unique, exact, reliable, atomic, bookmarkable, resumable, compactionBlind, honestFloor,
    deletions, repeatable, monotonic, woken, acknowledged, numbered, remembered, delivered, kept,
  ]

  /// What a history breaks, each with the property's name.
  package static func check(_ history: History) -> [String] {
    var found: [String] = []
    for event in history.events {
      if case .broken(let what) = event { found.append("broken: \(what)") }
    }
    for validator in all {
      found += validator.breaches(history).prefix(3).map { "\(validator.name): \($0)" }
    }
    return found
  }
}

extension Validator {
  /// Numbers only rise, and positions that were read never come to mean something else.
  static let numbered = Validator(name: "numbered") { history in
    var found: [String] = []
    var last: UInt64 = 0
    var seen: UInt64 = 0
    for event in history.events {
      switch event {
      case .committed(let commit):
        if commit.first <= last || commit.last < commit.first {
          found.append("a batch took \(commit.first)...\(commit.last) after \(last)")
        }
        // Whoever was given this end was promised that nothing at or before it is to come.
        if commit.first <= seen {
          found.append("a batch took \(commit.first) when \(seen) had been handed out")
        }
        last = commit.last
      case .delivered(let delivery): seen = max(seen, delivery.anchor)
      case .opened(let end, _):
        if end < last { found.append("opened with the end \(end), acknowledged was \(last)") }
      default: break
      }
    }
    return found
  }
}
