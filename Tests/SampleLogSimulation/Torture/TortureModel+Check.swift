package import SampleLog

extension TortureModel {
  /// Compares a store after a run with its expected contents, and resolves the operations of the
  /// run.
  ///
  /// - Parameters:
  ///   - database: The store, opened for writing or reading.
  ///   - ending: The way in which the run ended.
  ///   - random: Selects the states from which the feed is followed.
  /// - Returns: Descriptions of the violations, or an empty array.
  /// - Throws: The errors of reading the store.
  package mutating func check(
    _ database: Database, after ending: Ending, _ random: inout Seeded
  ) throws -> [String] {
    let snapshot = database.snapshot()
    var problems: [String] = []
    let present = try Self.present(snapshot, &problems)
    problems += settle(present, end: snapshot.end, ending)
    problems += try checkFeed(snapshot, present, &random)
    problems += checkSubscription(database)
    problems += try checkRegistration(database, ending)
    remember(snapshot.end, present, &random)
    return problems
  }

  /// Checks a store that another process is writing to: all visible operations must be complete.
  package mutating func observe(_ database: Database) throws -> [String] {
    let snapshot = database.snapshot()
    var problems: [String] = []
    if snapshot.end < acknowledged {
      problems.append(
        "a reader sees \(snapshot.end) only, after \(acknowledged) was acknowledged")
    }
    if snapshot.end < seen {
      problems.append("a reader's end went back from \(seen) to \(snapshot.end)")
    }
    _ = try Self.present(snapshot, &problems)
    seen = max(seen, snapshot.end)
    return problems
  }

  /// Returns the number of samples of each operation, after comparing each with its expected value.
  private static func present(
    _ snapshot: Snapshot, _ problems: inout [String]
  ) throws -> [UInt64: Int] {
    var present: [UInt64: Int] = [:]
    var sizes: [UInt64: Int] = [:]
    var wrong = 0
    for row in try snapshot.select(snapshot.series) {
      guard let claim = TortureRow(row, snapshot.symbols) else {
        wrong += 1
        continue
      }
      present[claim.operation, default: 0] += 1
      sizes[claim.operation] = claim.size
    }
    if wrong > 0 { problems.append("\(wrong) samples differ from the saved ones") }
    for (operation, count) in present where count != sizes[operation] {
      problems.append(
        "operation \(operation) is half present: \(count) of \(sizes[operation] ?? 0)")
    }
    return present
  }

  /// Follows the feed from states of earlier runs; each must lead to the current state.
  private func checkFeed(
    _ snapshot: Snapshot, _ present: [UInt64: Int], _ random: inout Seeded
  ) throws -> [String] {
    var problems: [String] = []
    for state in states {
      do {
        let limit = [7, 500, nil].randomElement(using: &random) ?? nil
        let folded = try fold(snapshot, from: state, limit: limit, &problems)
        if state.end > 0, state.end < snapshot.floor {
          problems.append("the feed answered after \(state.end), below the floor")
        } else if folded != present {
          let differing = Set(folded.keys).union(present.keys)
            .filter { folded[$0] != present[$0] }.sorted()
          problems.append(
            "the feed after \(state.end) does not lead to the current state: "
              + "\(differing.count) operations differ, the first is \(differing.first ?? 0)")
        }
      } catch StoreError.anchorExpired where state.end < snapshot.floor {
        continue
      }
    }
    return problems
  }

  private func fold(
    _ snapshot: Snapshot, from state: (end: UInt64, alive: [UInt64: Int]), limit: Int?,
    _ problems: inout [String]
  ) throws -> [UInt64: Int] {
    var folded = state.alive
    var anchor = Anchor(sequence: state.end)
    var last = state.end
    while true {
      let page = try snapshot.changes(after: anchor, limit: limit)
      for change in page.changes {
        if change.sequence <= last {
          problems.append("the feed gave \(change.sequence) after \(last)")
        }
        last = change.sequence
        let operation = UInt64(change.row.block.start[change.row.row])
        let count = folded[operation] ?? 0
        let now = count + (change.kind == .sample ? 1 : -1)
        // From the beginning, a feed may report deletions of samples it never reported.
        folded[operation] = now > 0 ? now : nil
      }
      anchor = page.anchor
      if !page.hasMore { break }
    }
    if anchor.sequence != snapshot.end { problems.append("the feed ended at \(anchor)") }
    return folded
  }

  private mutating func checkSubscription(_ database: Database) -> [String] {
    let sequence = database.acknowledgements["torture"] ?? 0
    var problems: [String] = []
    if sequence < confirmed {
      problems.append(
        "the subscription was acknowledged through \(confirmed), it is at \(sequence)")
    }
    if sequence > confirming {
      problems.append(
        "the subscription is at \(sequence), it was acknowledged only through \(confirming)")
    }
    let floor = database.snapshot().floor
    if confirmed > 0, floor > sequence {
      problems.append("the floor \(floor) passed the subscription, which is at \(sequence)")
    }
    confirmed = sequence
    confirming = sequence
    return problems
  }

  private mutating func checkRegistration(
    _ database: Database, _ ending: Ending
  ) throws -> [String] {
    guard delivering > 0 else { return [] }
    let needed = ending == .process ? delivered : deliveredDurably
    let key = TortureRow.registered(database.symbols)
    guard let sequence = try database.registration(of: key)?.sequence else {
      return needed > 0 ? ["the registration of \(needed) is missing"] : []
    }
    var problems: [String] = []
    if sequence < needed {
      problems.append("the registration was acknowledged through \(needed), it is at \(sequence)")
    }
    if sequence > delivering {
      problems.append(
        "the registration is at \(sequence), it was acknowledged only through \(delivering)")
    }
    (delivered, deliveredDurably, delivering) = (sequence, sequence, sequence)
    return problems
  }

  /// Keeps some states from which to follow the feed; the beginning is always among them.
  private mutating func remember(
    _ end: UInt64, _ present: [UInt64: Int], _ random: inout Seeded
  ) {
    states.append((end, present))
    if states.count > 5 {
      states.remove(at: Int.random(in: 1..<states.count - 1, using: &random))
    }
  }
}
