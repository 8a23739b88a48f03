private import Synchronization

/// The in-memory state of point reads, except the key index: the block locator, the blocks whose
/// identifiers are verified, and the cached encoded blocks.
///
/// Takes about 50 bytes per block. Readers take no lock.
final class PointReadState: @unchecked Sendable {
  let locator: BlockLocator
  private let blockCount: Int
  // One bit for each block.
  private let checked: UnsafeMutablePointer<Atomic<UInt64>>
  // Adjacent blocks are kept in distant slots: processors that read neighbouring blocks would
  // otherwise contend for the same cache lines.
  private let stored: UnsafeMutablePointer<Revocable<EncodedBlock>>
  // The distance between the slots of adjacent blocks, and the number of words in `checked`.
  private let stride: Int

  init(_ segment: Segment) {
    locator = BlockLocator(segment)
    blockCount = segment.blockCount
    stride = blockCount / 64 + 1
    checked = .allocate(capacity: stride)
    for word in 0..<stride { (checked + word).initialize(to: Atomic(0)) }
    stored = .allocate(capacity: 64 * stride)
    for index in 0..<64 * stride { (stored + index).initialize(to: Revocable()) }
  }

  deinit {
    checked.deinitialize(count: stride)
    checked.deallocate()
    stored.deinitialize(count: 64 * stride)
    stored.deallocate()
  }

  /// Returns whether a block's identifiers have passed their checksum.
  @inline(__always)
  func isChecked(_ block: Int) -> Bool {
    precondition(block >= 0 && block < blockCount, "no such block")
    return checked[block &>> 6].load(ordering: .acquiring) &>> UInt64(block & 63) & 1 == 1
  }

  /// Records that a block's identifiers have passed their checksum.
  func setChecked(_ block: Int) {
    precondition(block >= 0 && block < blockCount, "no such block")
    checked[block &>> 6].bitwiseOr(1 &<< UInt64(block & 63), ordering: .releasing)
  }

  /// Returns the slot of a cached encoded block.
  @inline(__always)
  func stored(_ block: Int) -> UnsafeMutablePointer<Revocable<EncodedBlock>> {
    precondition(block >= 0 && block < blockCount, "no such block")
    return stored + ((block & 63) &* stride &+ block / 64)
  }
}
