package import Foundation
package import SampleLog

/// A writer that saves, deletes, seals and compacts until killed, and prints acknowledgements.
package final class TortureWriter: Sendable {
  private let order: TortureOrder
  private let database: Database
  private let output: FileHandle
  private let next: Locked<UInt64>
  private let left: Locked<Int>

  /// Opens the store in a directory, and creates it if it does not exist.
  package init(_ path: String, _ order: TortureOrder, output: FileHandle = .standardOutput) throws {
    self.order = order
    self.output = output
    next = Locked(order.first)
    left = Locked(order.operations ?? .max)
    database = try Database(path: path, options: order.options)
    say(.opened(end: database.end))
  }

  /// Runs until the operations are done or the process is killed.
  package func run() throws {
    let alive = try Self.operations(database.snapshot()).keys.sorted()
    let threads = order.threads
    // An additional thread performs maintenance; a run with a fixed number of operations
    // interleaves it.
    let isCounted = order.operations != nil
    DispatchQueue.concurrentPerform(iterations: threads + (isCounted ? 0 : 1)) { thread in
      var random = Seeded(mixing: order.seed, order.run, UInt64(thread))
      if thread == threads {
        while true { maintain(&random) }
      }
      // Each thread deletes only samples of its own operations, so that threads do not conflict.
      work(alive.filter { Int($0 % UInt64(threads)) == thread }, &random)
    }
    say(.read(count: try Self.operations(database.snapshot()).values.reduce(0, +)))
    do {
      try database.close()
      say(.note("closed"))
    } catch {
      say(.note("closing failed: \(error)"))
    }
  }

  /// Returns the number of live rows of each operation.
  package static func operations(_ snapshot: Snapshot) throws -> [UInt64: Int] {
    var result: [UInt64: Int] = [:]
    for row in try snapshot.select(snapshot.series) {
      result[UInt64(row.block.start[row.row]), default: 0] += 1
    }
    return result
  }

  private func work(_ own: [UInt64], _ random: inout Seeded) {
    var sizes: [(operation: UInt64, size: Int)] = own.map { ($0, 0) }
    var rows = 0
    var done = 0
    while left.withLock({ left in
      left -= 1
      return left >= 0
    }) {
      done += 1
      let operation = next.withLock { next in
        defer { next += 1 }
        return next
      }
      let isCrowded = rows > 20_000 / order.threads || sizes.count > 400
      var deleting: [UInt64] = []
      if !sizes.isEmpty, random.once(in: isCrowded ? 1 : 3) {
        for _ in 0..<Int.random(in: 1...(isCrowded ? 3 : 2), using: &random)
        where !sizes.isEmpty {
          let gone = sizes.remove(at: Int.random(in: 0..<sizes.count, using: &random))
          deleting.append(gone.operation)
        }
      }
      let isOnlyDeleting = !deleting.isEmpty && random.once(in: 2)
      let size =
        isOnlyDeleting
        ? 0 : Int.random(in: 1...(random.once(in: 4) ? order.largest : 20), using: &random)
      let isDurable = !(order.buffers && random.once(in: 3))
      if perform(operation, size, deleting, isDurable) {
        if size > 0 { sizes.append((operation, size)) }
        rows = sizes.reduce(0) { $0 + $1.size }
      } else {
        sizes += deleting.map { ($0, 0) }
      }
      if order.operations != nil, done % 5 == 0 { maintain(&random) }
    }
  }

  /// Performs one commit; returns whether it was acknowledged.
  private func perform(
    _ operation: UInt64, _ size: Int, _ deleting: [UInt64], _ isDurable: Bool
  ) -> Bool {
    say(.begun(operation: operation, size: size, isDurable: isDurable, deleting: deleting))
    do {
      var batch = Batch()
      for index in 0..<size {
        TortureRow(operation: operation, index: index, size: size).add(
          to: &batch, database.symbols)
      }
      for other in deleting {
        for index in 0..<(try sizeAlive(other)) {
          batch.delete(TortureRow(operation: other, index: index, size: 0).id)
        }
      }
      let result = try database.commit(batch, durability: isDurable ? .durable : .buffered)
      guard let sequences = result.sequences else {
        say(.failed(operation: operation, reason: "there was nothing to do"))
        return false
      }
      say(.done(operation: operation, first: sequences.lowerBound, last: sequences.upperBound))
      return true
    } catch {
      say(.failed(operation: operation, reason: "\(error)"))
      return false
    }
  }

  /// Returns the number of samples that an operation saved, or 0 if its first one is not live.
  private func sizeAlive(_ operation: UInt64) throws -> Int {
    let id = TortureRow(operation: operation, index: 0, size: 0).id
    guard let row = try database.snapshot().row(id) else { return 0 }
    return Int(row.block.end[row.row] - row.block.start[row.row])
  }

  /// Performs one maintenance task.
  private func maintain(_ random: inout Seeded) {
    func attempt(_ what: String, _ body: () throws -> Void) {
      do {
        try body()
        say(.note(what))
      } catch {
        say(.note("\(what) failed: \(error)"))
      }
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: attempt("sealing") { try database.seal() }
    case 1: attempt("compaction") { try database.compact() }
    case 2:
      attempt("flush") {
        let end = database.end
        try database.flush()
        say(.flushed(end: end))
      }
    case 3...5:
      // Deletions before the subscription's first sequence number may have been truncated.
      let sequence =
        database.acknowledgements["torture"].map { before in
          UInt64.random(in: before...max(before, database.end), using: &random)
        } ?? database.end
      say(.confirming(sequence))
      attempt("acknowledgement") {
        try database.acknowledge("torture", through: sequence)
        say(.confirmed(sequence))
      }
    case 6, 7:
      let isDurable = random.once(in: 2)
      attempt("delivery") {
        let key = TortureRow.registered(database.symbols)
        // A new registration begins at the end of the store.
        guard var registration = try database.registration(of: key) else {
          try database.register(key, frequency: 1)
          return
        }
        let before = registration.sequence
        let sequence = UInt64.random(in: before...max(before, database.end), using: &random)
        registration.sequence = sequence
        say(.delivering(sequence))
        try database.update([(key, registration)], durability: isDurable ? .durable : .buffered)
        say(.delivered(sequence, isDurable: isDurable))
      }
    default:
      attempt("read") { _ = try Self.operations(database.snapshot()) }
    }
  }

  private func say(_ line: TortureLine) {
    // One write per line, so that lines of several threads do not interleave.
    try? output.write(contentsOf: Data((line.text + "\n").utf8))
  }
}
