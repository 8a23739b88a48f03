/// A step of a workload.
package enum Step: Hashable, Sendable, CustomStringConvertible {
  /// Saves a number of samples in one batch.
  case save(Int)
  /// Saves a number of samples with buffered durability.
  case saveBuffered(Int)
  /// Saves a sample that replaces the one with the same sync identifier.
  case saveVersion
  /// Saves a sample with a number of child rows.
  case saveParent(Int)
  /// Saves another child row of the newest parent sample.
  case addChild
  /// Deletes the oldest live sample.
  case deleteOldest
  /// Deletes the newest live row, which may be a child row.
  case deleteNewest
  /// Erases the subject of the oldest sample.
  case erase
  /// Deletes the oldest sample and saves one in the same batch.
  case exchange
  case flush
  case seal
  case compact
  /// Compacts, and concurrently deletes the oldest live sample with buffered durability.
  case compactConcurrently
  /// Expires some of one subject's samples.
  case expire
  /// Closes and reopens the store.
  case reopen
  /// Kills the process and opens the store in another.
  case kill
  /// Cuts the power and opens one of the possible images.
  case powerCut
  /// Acknowledges all changes for a durable subscription.
  case acknowledge
  case removeAcknowledgement
  /// Advances the clock.
  case wait

  /// The letters of steps without a number.
  private static let letters: [(Character, Step)] = [
    ("v", .saveVersion), ("d", .deleteOldest), ("e", .deleteNewest), ("m", .exchange),
    ("f", .flush), ("l", .seal), ("c", .compact), ("w", .compactConcurrently), ("o", .expire),
    ("r", .reopen), ("k", .kill), ("x", .powerCut), ("a", .acknowledge),
    ("u", .removeAcknowledgement), ("t", .wait), ("g", .addChild), ("z", .erase),
  ]

  /// The step in the form that ``init(_:)`` parses: `s3` saves three samples, `l` seals.
  package var description: String {
    switch self {
    case .save(let count): "s\(count)"
    case .saveBuffered(let count): "b\(count)"
    case .saveParent(let count): "p\(count)"
    default: Self.letters.first { $0.1 == self }.map { String($0.0) } ?? "?"
    }
  }

  package init?(_ text: some StringProtocol) {
    if text.first == "s", let count = Int(text.dropFirst()), 1...1000 ~= count {
      self = .save(count)
    } else if text.first == "b", let count = Int(text.dropFirst()), 1...1000 ~= count {
      self = .saveBuffered(count)
    } else if text.first == "p", let count = Int(text.dropFirst()), 0...1000 ~= count {
      self = .saveParent(count)
    } else if text.count == 1, let known = Self.letters.first(where: { $0.0 == text.first }) {
      self = known.1
    } else {
      return nil
    }
  }
}
