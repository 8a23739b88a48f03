import HealthStore

extension ExportImporter {
  /// The most settings of one export, which wait in memory for its end.
  private static let mostSettings = 65_536

  /// Takes what an export of this library has with attributes of its own.
  func take(_ item: ExportStoredItem, at offset: Int64) {
    if let file = item.file { readFiles.insert(file) }
    note(at: offset) { () throws(ImportRejection) in
      switch item.content {
      case .row(let row): try take(row, at: offset)
      case .setting(let setting):
        guard setting.isKnown, settings.count < Self.mostSettings else {
          throw .unstorable(setting.type ?? "a setting", "the setting makes no sense.")
        }
        settings.append(setting)
      }
    }
  }

  private func take(_ row: StoredSample, at offset: Int64) throws(ImportRejection) {
    if row.role != nil {
      // The store takes rows of an owner with its dates only, and refuses all others with them.
      guard let last = lastStored, last.uuid == row.owner, last.type == row.type,
        last.start == row.start, last.end == row.end
      else { throw .unstorable(row.type, "what belongs to it must follow it.") }
    }
    try converter.admit(row)
    if row.role == nil, !converter.isKnown(row.type) { summary.noteUnknown(row.type, at: offset) }
    if row.role == nil {
      lastStored = row
      lastStoredOffset = offset
    } else {
      do throws(HKInvalidSampleError) {
        try writer.check(owned: row)
      } catch {
        throw .unstorable(row.type, error.description)
      }
      lastOwned.append(row)
    }
    waitingBytes += row.extras.count
  }

  /// Adds the last object with what belongs to it, which is complete when another item comes.
  func addLastStored() {
    guard let last = lastStored else { return }
    note(at: lastStoredOffset) { () throws(ImportRejection) in
      do throws(HKInvalidSampleError) {
        try writer.add(last, owning: lastOwned)
      } catch {
        throw .unstorable(last.type, error.description)
      }
    }
    lastStored = nil
    lastOwned = []
  }

  /// Saves the settings that were taken.
  ///
  /// - Throws: An error of the store.
  func saveSettings() throws {
    if settings.isEmpty { return }
    try importSettings(settings)
    summary.settings = settings.count
  }
}

extension RecordConverter {
  /// Takes the names of a row, as the store keeps them.
  mutating func admit(_ row: StoredSample) throws(ImportRejection) {
    if row.type != admitted.type, !isKnown(row.type) {
      try allowance.admit(unknownType: row.type)
    }
    let longest = NameAllowance.longestOrigin
    if row.unit != admitted.unit {
      try allowance.admit(row.unit.utf8, "unit", type: row.type, longest: longest)
    }
    if row.source != admitted.source {
      try allowance.admit(row.source, "source", type: row.type, longest: longest)
    }
    if row.device != admitted.device {
      try allowance.admit(row.device, "device", type: row.type, longest: longest)
    }
    admitted = (row.type, row.unit, row.source, row.device)
  }
}
