import HealthStore

// Imports items written by this library.
extension ExportImporter {
  /// The maximum number of settings in one export, which are held in memory until its end.
  private static let mostSettings = 65_536

  /// Imports an object, a child row or a setting with attributes of this library.
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
    if row.childType != nil {
      // A child row must have the dates of its parent; otherwise the store would reject all of
      // them.
      guard let last = lastStored, last.uuid == row.parent, last.type == row.type,
        last.start == row.start, last.end == row.end
      else { throw .unstorable(row.type, "what belongs to it must follow it.") }
    }
    try converter.admit(row)
    if row.childType == nil, !converter.isKnown(row.type) {
      summary.noteUnknown(row.type, at: offset)
    }
    if row.childType == nil {
      lastStored = row
      lastStoredOffset = offset
    } else {
      do throws(HKInvalidSampleError) {
        try writer.check(child: row)
      } catch {
        throw .unstorable(row.type, error.description)
      }
      lastChildren.append(row)
    }
    waitingBytes += row.extras.count
  }

  /// Adds the last object with its child rows, which are complete when another item follows.
  func addLastStored() {
    guard let last = lastStored else { return }
    note(at: lastStoredOffset) { () throws(ImportRejection) in
      do throws(HKInvalidSampleError) {
        try writer.add(last, children: lastChildren)
      } catch {
        throw .unstorable(last.type, error.description)
      }
    }
    lastStored = nil
    lastChildren = []
  }

  /// Saves the settings of the export.
  ///
  /// - Throws: An error of the store.
  func saveSettings() throws {
    if settings.isEmpty { return }
    try importSettings(settings)
    summary.settings = settings.count
  }
}

extension RecordConverter {
  /// Charges the names of a row, in their stored form, to the allowance.
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
