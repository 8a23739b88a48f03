/// A property of histories, as a pure function that returns its violations.
package struct Validator: Sendable {
  package let name: String
  /// The function that returns a description of each violation.
  package let breaches: @Sendable (History) -> [String]

  /// All properties.
  package static let all = [
    ordered, unique, exact, reliable, atomic, bookmarkable, resumable, compactionBlind, honestFloor,
    deletions, repeatable, monotonic, woken, acknowledged, numbered, remembered, delivered, kept,
  ]

  /// Returns all violations in a history, each with the property's name.
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
  /// Sequence numbers only increase, and positions that were read are never reused.
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
        // Subscribers with this end rely on receiving no change at or before it.
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
