import Foundation
internal import SampleLog
private import Synchronization

/// Makes random (version 4) identifiers from a buffer of the system's randomness.
///
/// `UUID()` asks the kernel once per identifier on Linux, which costs more than the rest of
/// building a sample. Here one refill fetches the bytes of 256 identifiers in 16 requests.
///
/// Uniqueness: every byte comes from the kernel's generator and is handed out once, under a lock,
/// so identifiers are as unique as `UUID()`'s. A forked child inherits a copy of the buffer and
/// would repeat its parent's identifiers; a fork handler therefore makes the child refill first.
enum IdentifierSource {
  private static let idsPerRefill = 256
  private static let bytesPerID = 16
  /// The most that one `getentropy` call may return.
  private static let bytesPerRequest = 256

  private struct Buffer {
    var bytes = [UInt8](repeating: 0, count: idsPerRefill * bytesPerID)
    /// The first byte not handed out yet; starts as used up.
    var next = idsPerRefill * bytesPerID
    var generation = 0
  }

  private static let buffer = Locked(Buffer())

  /// Counts forks between the first process and this one; `next` compares it with the buffer's.
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
    return buffer.withLock { buffer in
      if buffer.next == buffer.bytes.count || buffer.generation != generation {
        refill(&buffer.bytes)
        buffer.next = 0
        buffer.generation = generation
      }
      let start = buffer.next
      buffer.next += bytesPerID
      return buffer.bytes.withUnsafeBytes { bytes in
        var id = bytes.loadUnaligned(fromByteOffset: start, as: uuid_t.self)
        id.6 = (id.6 & 0x0F) | 0x40
        id.8 = (id.8 & 0x3F) | 0x80
        return UUID(uuid: id)
      }
    }
  }

  private static func refill(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let request = UnsafeMutableRawBufferPointer(
          rebasing: bytes[offset..<min(offset + bytesPerRequest, bytes.count)])
        offset += request.count
        guard let base = request.baseAddress else { return }
        if getentropy(base, request.count) != 0 {
          fillWithSystemGenerator(request)
        }
      }
    }
  }

  /// The slow way, for kernels that refuse `getentropy`.
  private static func fillWithSystemGenerator(_ bytes: UnsafeMutableRawBufferPointer) {
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices {
      bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
    }
  }
}
