import SampleLog

/// What the extras of a block's rows make, by their number: rows with the same share one.
struct BlobTexts {
  struct Entry {
    /// The member or the field of the metadata; empty for none.
    var metadata = Fragment()
    var hasMetadata = false
    /// Whether there may be more than the metadata says.
    var isMore = false
  }

  // Kept, so that no other block can have its address.
  private var block: Block?
  private var entries: [Entry?] = []

  /// More of a block are not kept.
  private static let limit = 1 << 16

  /// The entry of a row; nil when it has not been made.
  @inline(__always)
  func entry(_ block: Block, _ row: Int) -> Entry? {
    let number = Int(block.extras[row])
    return block === self.block && number < entries.count ? entries[number] : nil
  }

  mutating func keep(_ entry: Entry, _ block: Block, _ row: Int) {
    if block !== self.block {
      self.block = block
      entries.removeAll(keepingCapacity: true)
    }
    let number = Int(block.extras[row])
    guard number < Self.limit else { return }
    while entries.count <= number { entries.append(nil) }
    entries[number] = entry
  }

  mutating func removeAll() { self = BlobTexts() }
}
