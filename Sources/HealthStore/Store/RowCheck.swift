import Foundation
import SampleLog

/// Looks at rows before they become samples, whose properties cannot report an error any more.
///
/// Checksums tell of damage, and the engine has compared them by then. This finds bytes that make
/// no sense although their checksum is right, as another program may have written them.
struct RowCheck {
  private let context: StoreContext
  private let snapshot: Snapshot
  private var block: Block?
  private var isCategory = false
  // What the row before had, which need not be looked at again.
  private var unit: Symbol = 0
  private var source: Symbol = 0
  private var device: Symbol = 0
  private var extras: UInt32 = 0

  init(_ context: StoreContext, _ snapshot: Snapshot) {
    self.context = context
    self.snapshot = snapshot
  }

  /// Throws when a row cannot be read as a sample.
  mutating func check(_ block: Block, _ row: Int) throws {
    if block !== self.block { enter(block) }
    if block.unit[row] != unit {
      unit = block.unit[row]
      try require(context.hasUnit(unit), block, row, "a unit that is none")
    }
    if block.source[row] != source {
      source = block.source[row]
      try require(context.hasSourceRevision(source), block, row, "a source that makes no sense")
    }
    if block.device[row] != device {
      device = block.device[row]
      try require(context.hasDevice(device), block, row, "a device that makes no sense")
    }
    if isCategory {
      let isWhole = Int(exactly: block.value[row].rounded()) != nil
      try require(isWhole, block, row, "a category that is no whole number")
    }
    if block.extras[row] != extras {
      extras = block.extras[row]
      if extras > 0 { try checkExtras(block, row) }
    }
  }

  private mutating func enter(_ block: Block) {
    self.block = block
    isCategory = context.type(block.type) is HKCategoryType
    (unit, source, device, extras) = (0, 0, 0, 0)
  }

  private func checkExtras(_ block: Block, _ row: Int) throws {
    let bytes = block.extras(at: row)
    let metadata = block.metadata(at: row)
    if !metadata.isEmpty {
      do {
        try MetadataCoding.check(metadata)
      } catch {
        if metadata.isPlainText { return }
        throw snapshot.damaged(RowReference(block, row), "metadata that makes no sense")
      }
      // Most rows that have extras have nothing else.
      if metadata.baseAddress.map({ $0 + metadata.count })
        == bytes.baseAddress.map({
          $0 + bytes.count
        })
      {
        return
      }
    }
    _ = try snapshot.extras(of: RowReference(block, row))
  }

  private func require(
    _ isGood: Bool, _ block: Block, _ row: Int, _ reason: @autoclosure () -> String
  ) throws {
    if !isGood { throw snapshot.damaged(RowReference(block, row), reason()) }
  }
}
