private import Synchronization

/// What reading single rows of a segment needs besides its key index: where the rows of each block
/// are, whose identifiers have been checked, and the blocks that are at hand as they are stored.
///
/// About 50 bytes a block, found and used without a lock.
final class PointReadState: @unchecked Sendable {
  let locator: BlockLocator
  private let blockCount: Int
  // One bit for each block.
  private let checked: UnsafeMutablePointer<Atomic<UInt64>>
  // Blocks side by side are apart here: processors that each look up among neighbours would write
  // the same lines of memory.
  private let stored: UnsafeMutablePointer<Revocable<EncodedBlock>>
  // How many of them are side by side, and how many words of bits there are.
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

  /// Whether a block's identifiers have been found to be what was written.
  @inline(__always)
  func isChecked(_ block: Int) -> Bool {
    precondition(block >= 0 && block < blockCount, "no such block")
    return checked[block &>> 6].load(ordering: .acquiring) &>> UInt64(block & 63) & 1 == 1
  }

  /// Says that a block's identifiers are what was written.
  func setChecked(_ block: Int) {
    precondition(block >= 0 && block < blockCount, "no such block")
    checked[block &>> 6].bitwiseOr(1 &<< UInt64(block & 63), ordering: .releasing)
  }

  /// The slot of a block as it is stored.
  @inline(__always)
  func stored(_ block: Int) -> UnsafeMutablePointer<Revocable<EncodedBlock>> {
    precondition(block >= 0 && block < blockCount, "no such block")
    return stored + ((block & 63) &* stride &+ block / 64)
  }
}
