import Foundation
internal import SampleLog
private import Synchronization

/// Makes identifiers that are hard to guess, never repeat, and take half the room.
///
/// They are UUIDs of version 4. The first half, 60 random bits, is drawn once for each process; the
/// second is a counter sent through a secret permutation of the 62-bit numbers. Samples that lie
/// together in a file mostly come from one process, so their first halves are stored once for 64.
///
/// Unique: within a process the counter never repeats and the permutation is one-to-one. Of two
/// processes, identifiers can meet only if both drew the same 60 bits, and then only where the
/// permutations meet; a million processes have odds of about one in two million to share a first
/// half at all. A forked child has a copy of all this and would repeat its parent; a fork handler
/// makes it draw anew.
///
/// Hard to guess: the key is 128 bits from the kernel and is never stored. Identifiers do tell that
/// two samples were made by one process. `UUID()` would ask the kernel for each on Linux, 2.4 µs.
enum IdentifierSource {
  private struct State {
    var high: UInt64 = 0
    var permutation = IdentifierPermutation(key: (0, 0))
    var next: UInt64 = 0
    /// Which process of a family of forks this belongs to; starts as none.
    var generation = -1
  }

  private static let state = Locked(State())

  /// Counts forks between the first process and this one; `next` compares it with the state's.
  private static let forks: ForkCount = {
    let count = ForkCount()
    // The handler may only touch an atomic: the lock may have been held when the fork happened.
    pthread_atfork(nil, nil) { IdentifierSource.noteFork() }
    return count
  }()

  private final class ForkCount: Sendable {
    let value = Atomic<Int>(0)
  }

  private static func noteFork() {
    forks.value.wrappingAdd(1, ordering: .relaxed)
  }

  /// Returns an identifier that was never returned before.
  static func next() -> UUID {
    let generation = forks.value.load(ordering: .relaxed)
    return state.withLock { state in
      if state.generation != generation { begin(&state, generation) }
      let low = state.permutation(state.next) | 1 << 63
      state.next += 1
      return Identifier(high: state.high, low: low).uuid
    }
  }

  private static func begin(_ state: inout State, _ generation: Int) {
    var random = SystemRandomNumberGenerator()
    state.high = random.next() & ~0xF000 | 0x4000
    state.permutation = IdentifierPermutation(key: (random.next(), random.next()))
    state.next = 0
    state.generation = generation
  }
}
