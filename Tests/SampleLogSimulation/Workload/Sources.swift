/// A clock that changes only when it is set.
final class Clock: @unchecked Sendable {
  var now = 1000.0
}

/// Identities and salts that are equal in every run.
final class SaltSource: @unchecked Sendable {
  private var random: Seeded

  init(_ seed: UInt64) { random = Seeded(seed ^ 0x5A17) }

  func next() -> UInt64 { random.next() }
}
