import Foundation
internal import SampleLog
private import Synchronization

/// Makes identifiers that are hard to guess, never repeat, and take next to no room in a file.
///
/// They are UUIDs of version 4 from an ``IdentifierStream``: 60 random bits, and a counter sent
/// through a secret permutation. A file that knows the stream keeps the counter instead, which
/// rises with the sequence numbers of samples saved in the order in which they were made.
///
/// Unique: within a stream the counter never repeats and the permutation is one-to-one. Of two
/// streams, identifiers can meet only if both drew the same 60 bits, and then only where the
/// permutations meet; a million streams have odds of about one in two million to share a first half
/// at all. A forked child has a copy of all this and would repeat its parent; a fork handler makes
/// it draw again.
///
/// Hard to guess: the key is 128 bits from the kernel. Segments keep the keys of the streams of
/// their samples, so whoever may read a store's files could tell what else a stream makes; each
/// ends after a million. Identifiers do tell that two samples were made by one process. `UUID()`
/// would ask the kernel for each on Linux, 2.4 µs.
enum IdentifierSource {
  private struct State {
    var maker = IdentifierMaker()
    /// Which process of a family of forks it belongs to.
    var generation = 0
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
      if state.generation != generation {
        state = State(maker: IdentifierMaker(), generation: generation)
      }
      return state.maker().uuid
    }
  }
}
