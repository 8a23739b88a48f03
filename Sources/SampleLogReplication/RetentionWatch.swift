import SampleLog

/// Detects that a stream has discarded commits that a replica lacks.
///
/// It remembers every replica that has reported since the primary was opened, because the last
/// report of a replica that does not run is discarded after about a minute.
struct RetentionWatch {
  /// The number of calls between two that are due.
  private static let interval = 8

  private var calls = 0
  /// The last sequence number that each replica has reported.
  private var ends: [String: UInt64] = [:]
  private var givenUp: Set<String> = []

  /// Returns whether the reports are to be read, which is a request for each replica.
  mutating func isDue() -> Bool {
    defer { calls += 1 }
    return calls % Self.interval == 0
  }

  /// Compares the replicas with the beginning of the stream.
  ///
  /// - Parameters:
  ///   - reports: The latest reports of the replicas.
  ///   - message: The first message of the stream.
  /// - Returns: An event for each replica that can no longer follow, once until it follows again.
  mutating func take(
    _ reports: [String: ReplicaReport], streamBeginsWith message: Message
  ) -> [StoreEvent.Kind] {
    // A replica that has reported nothing durable is receiving a copy.
    for (name, report) in reports { ends[name] = report.last == 0 ? nil : report.last }
    // Without its first part, a commit cannot be read.
    let start = message.part == 0 ? message.before.last : message.last
    let lost = ends.filter { $0.value < start }
    let new = lost.filter { !givenUp.contains($0.key) }
    givenUp = Set(lost.keys)
    return new.sorted { $0.key < $1.key }.map {
      .replicaGivenUp(name: $0.key, end: $0.value, streamStart: start)
    }
  }
}
