/// A piece of text that a ``FragmentArena`` owns.
///
/// An unmanaged pointer: reference counting for the thirty pieces of each of millions of samples
/// would cost as much as writing them.
struct Fragment {
  fileprivate(set) var start: UnsafePointer<UInt8>?
  fileprivate(set) var count = 0
}

/// Owns fragments, and frees them all when it is deallocated.
final class FragmentArena {
  private var pieces: [UnsafeMutablePointer<UInt8>] = []
  private(set) var byteCount = 0

  deinit { for piece in pieces { piece.deallocate() } }

  func fragment(_ bytes: [UInt8]) -> Fragment {
    if bytes.isEmpty { return Fragment() }
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    piece.initialize(from: bytes, count: bytes.count)
    pieces.append(piece)
    byteCount += bytes.count
    return Fragment(start: UnsafePointer(piece), count: bytes.count)
  }
}
