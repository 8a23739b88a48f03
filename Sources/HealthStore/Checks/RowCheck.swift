import Foundation
import SampleLog

/// Validates rows before they become samples, because a sample's properties cannot report errors.
///
/// The engine has already verified checksums, which detect damage. This check finds malformed
/// bytes with a valid checksum, which another program may have written.
struct RowCheck {
  private let reader: RowReader
  private let admitsText: Bool
  private var block: Block?
  private var isCategory = false
  private var payload: (any SamplePayload.Type)?
  private var needsPayload = false
  // The fields of the previous row, which need no second check.
  private var unit: Symbol = 0
  private var source: Symbol = 0
  private var device: Symbol = 0
  private var extras: UInt32 = 0

  /// Creates a check.
  ///
  /// If `admitsText` is true, plain text in place of metadata counts as no metadata.
  init(_ reader: RowReader, admitsText: Bool = true) {
    self.reader = reader
    self.admitsText = admitsText
  }

  /// Throws if a row of a snapshot cannot be read as a sample.
  mutating func check(_ reference: Row, in snapshot: Snapshot) throws {
    try check(reference.block, reference.row, in: snapshot)
  }

  /// Throws if a row of a block of a snapshot cannot be read as a sample.
  mutating func check(_ block: Block, _ row: Int, in snapshot: Snapshot) throws {
    func require(_ isGood: Bool, _ reason: @autoclosure () -> String) throws {
      if !isGood { throw snapshot.damaged(Row(block, row), reason()) }
    }
    if block !== self.block {
      self.block = block
      let kind = reader.type(block.type).map(SampleKind.init)
      isCategory = kind == .category
      payload = kind?.payload
      needsPayload = payload?.isRequired ?? false
      // If a payload is required, check even rows without extras.
      (unit, source, device, extras) = (0, 0, 0, needsPayload ? .max : 0)
    }
    if block.unit[row] != unit {
      unit = block.unit[row]
      try require(reader.hasUnit(unit), "a unit that is none")
    }
    if block.source[row] != source {
      source = block.source[row]
      try require(reader.hasSourceRevision(source), "a source that makes no sense")
    }
    if block.device[row] != device {
      device = block.device[row]
      try require(reader.hasDevice(device), "a device that makes no sense")
    }
    if isCategory {
      let isWhole = Int(exactly: block.value[row].rounded()) != nil
      try require(isWhole, "a category that is no whole number")
    }
    if block.extras[row] != extras {
      extras = block.extras[row]
      if extras > 0 || needsPayload {
        try checkExtras(Row(block, row), payload, in: snapshot)
      }
    }
  }

  private func checkExtras(
    _ reference: Row, _ payload: (any SamplePayload.Type)?, in snapshot: Snapshot
  ) throws {
    let metadata = reference.block.metadata(at: reference.row)
    if !metadata.isEmpty {
      do {
        try MetadataCoding.check(metadata)
      } catch {
        guard admitsText, metadata.isPlainText else {
          throw snapshot.damaged(reference, "metadata that makes no sense")
        }
        if payload?.isRequired != true { return }
      }
      // Most rows with extras have only metadata.
      if reference.hasOnlyMetadata, payload?.isRequired != true { return }
    }
    let extras = try snapshot.extras(of: reference)
    guard let payload else { return }
    if extras.payloadKind == 0, !payload.isRequired { return }
    guard payload.init(extras) != nil else {
      throw snapshot.damaged(reference, "a payload that makes no sense")
    }
  }
}
