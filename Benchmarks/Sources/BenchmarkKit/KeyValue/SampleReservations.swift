import Foundation

/// Prevents two concurrent commits from adding the same identifier.
///
/// A look-up before writing cannot detect that. An uncontended commit costs one lock.
final class SampleReservations {
  private let lock = NSLock()
  private var underWay: [(number: Int, samples: ArraySlice<StreamSample>)] = []
  private var next = 0

  /// Runs `body` while no other commit with one of these identifiers is in progress.
  func reserving(_ samples: ArraySlice<StreamSample>, _ body: () throws -> Void) throws {
    try Self.checkDistinct(samples)
    let number = try lock.withLock {
      if !underWay.isEmpty {
        let others = underWay.flatMap { $0.samples.map(\.identifier.low) }
        let mine = Set(samples.map(\.identifier.low))
        guard !others.contains(where: mine.contains) else { throw Self.duplicate }
      }
      next += 1
      underWay.append((next, samples))
      return next
    }
    defer { lock.withLock { underWay.removeAll { $0.number == number } } }
    try body()
  }

  private static func checkDistinct(_ samples: ArraySlice<StreamSample>) throws {
    guard samples.count > 1 else { return }
    let sorted = samples.map(\.identifier.low).sorted()
    for index in 1..<sorted.count where sorted[index] == sorted[index - 1] { throw duplicate }
  }

  private static let duplicate = KeyValueError(store: "commit", message: "an identifier is known")
}
