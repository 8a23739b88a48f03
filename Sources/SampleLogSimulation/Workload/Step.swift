/// One thing a workload does to a store.
package enum Step: Hashable, Sendable, CustomStringConvertible {
  /// Saves a number of samples in one batch.
  case save(Int)
  /// Saves a number of samples without waiting for the disk.
  case saveBuffered(Int)
  /// Saves a sample that replaces the one under the same synchronisation identifier.
  case saveVersion
  /// Saves a sample with a number of rows that belong to it.
  case saveOwner(Int)
  /// Saves one more row that belongs to the newest such sample.
  case addOwned
  /// Deletes the oldest live sample.
  case deleteOldest
  /// Deletes the newest live row, which may belong to a sample.
  case deleteNewest
  /// Erases the person whose sample is the oldest.
  case erase
  /// Deletes the oldest and saves one in the same batch.
  case exchange
  case flush
  case seal
  case compact
  /// Compacts, and deletes the oldest live sample meanwhile, without waiting for the disk.
  case compactBeside
  /// Expires some of one person's samples.
  case expire
  /// Closes the store and opens it again.
  case reopen
  /// Ends the process and opens the store in another.
  case kill
  /// Cuts the power, takes one of the images that may leave, and opens that.
  case powerCut
  /// Acknowledges everything for a durable subscription.
  case acknowledge
  case removeAcknowledgement
  /// Lets time pass.
  case wait

  /// The letters of steps without a number.
  private static let letters: [(Character, Step)] = [
    ("v", .saveVersion), ("d", .deleteOldest), ("e", .deleteNewest), ("m", .exchange),
    ("f", .flush), ("l", .seal), ("c", .compact), ("w", .compactBeside), ("o", .expire),
    ("r", .reopen), ("k", .kill), ("x", .powerCut), ("a", .acknowledge),
    ("u", .removeAcknowledgement), ("t", .wait), ("g", .addOwned), ("z", .erase),
  ]

  /// The step in the form that ``init(_:)`` reads: `s3` saves three samples, `l` seals.
  package var description: String {
    switch self {
    case .save(let count): "s\(count)"
    case .saveBuffered(let count): "b\(count)"
    case .saveOwner(let count): "p\(count)"
    default: Self.letters.first { $0.1 == self }.map { String($0.0) } ?? "?"
    }
  }

  package init?(_ text: some StringProtocol) {
    if text.first == "s", let count = Int(text.dropFirst()), 1...1000 ~= count {
      self = .save(count)
    } else if text.first == "b", let count = Int(text.dropFirst()), 1...1000 ~= count {
      self = .saveBuffered(count)
    } else if text.first == "p", let count = Int(text.dropFirst()), 0...1000 ~= count {
      self = .saveOwner(count)
    } else if text.count == 1, let known = Self.letters.first(where: { $0.0 == text.first }) {
      self = known.1
    } else {
      return nil
    }
  }
}
