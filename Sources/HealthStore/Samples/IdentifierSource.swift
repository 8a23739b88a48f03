import Foundation
internal import SampleLog
private import Synchronization

/// Generates identifiers that are unpredictable, never repeat and compress well.
///
/// Identifiers are version 4 UUIDs from an ``IdentifierStream``: 60 random bits, and a counter
/// under a secret permutation. A file that knows the stream stores the counter instead, which
/// increases with the sequence numbers of samples that are saved in the order they were created.
///
/// Uniqueness: within a stream the counter never repeats and the permutation is a bijection.
/// Identifiers of two streams can collide only if both drew the same 60 bits, and then only where
/// the permutations agree. Among a million streams, the probability that two share a first half is
/// about one in two million. A fork copies this state, so a fork handler makes the child draw a new
/// stream.
///
/// Unpredictability: the key is 128 bits from the kernel. Segments store the keys of their samples'
/// streams, so a reader of the files could predict other identifiers of those streams; each stream
/// ends after about a million. Identifiers reveal that two samples were created by the same
/// process. On Linux, `UUID()` would make a system call for each identifier, 2.4 µs.
enum IdentifierSource {
  private struct State {
    var maker = IdentifierMaker()
    /// The fork count of the process that drew the state.
    var generation = 0
  }

  private static let state = Locked(State())

  /// The number of forks between the first process and this one.
  ///
  /// `next` compares it with the state's generation.
  private static let forks: ForkCount = {
    let count = ForkCount()
    // The fork handler may only access an atomic, because the lock may have been held during the
    // fork.
    pthread_atfork(nil, nil) { IdentifierSource.noteFork() }
    return count
  }()

  private final class ForkCount: Sendable {
    let value = Atomic<Int>(0)
  }

  private static func noteFork() {
    forks.value.wrappingAdd(1, ordering: .relaxed)
  }

  /// Returns a new identifier.
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
