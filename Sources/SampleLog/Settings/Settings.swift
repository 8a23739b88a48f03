/// The newest value of each setting: the lineage, the acknowledgements of durable subscriptions,
/// erasures, and settings of series and subjects that have not been erased since.
struct Settings: Sendable {
  private var newest: [[UInt8]: Setting] = [:]
  /// The sequence number of each subject's erasure, by its name.
  private var erased: [[UInt8]: UInt64] = [:]

  /// The settings, in no particular order.
  ///
  /// Returns a separate array, which shares no storage with settings that change under a lock.
  var all: [Setting] { newest.values.filter { !isErased($0) } }

  subscript(key: [UInt8]) -> Setting? {
    guard let setting = newest[key], !isErased(setting) else { return nil }
    return setting
  }

  /// The record of the earlier epochs.
  var lineage: Lineage { newest[Lineage.key].flatMap { Lineage($0.value) } ?? Lineage() }

  /// Stores a setting unless a newer value is known.
  mutating func keep(_ setting: Setting) {
    if let known = newest[setting.key], known.sequence > setting.sequence { return }
    newest[setting.key] = setting
    // Erased settings are filtered on access: removing them here would make recovery scan all
    // settings for each erasure.
    if let subject = Erasure.subject(ofKey: setting.key) { erased[subject] = setting.sequence }
  }

  /// Discards erasures of subjects without remaining data.
  mutating func forget(_ erasures: [Setting]) {
    let gone = erasures.filter { newest[$0.key] == $0 }
    if gone.isEmpty { return }
    let keys = Set(gone.map(\.key))
    newest = newest.filter { !isErased($0.value) && !keys.contains($0.key) }
    for erasure in gone {
      if let subject = Erasure.subject(ofKey: erasure.key) { erased[subject] = nil }
    }
  }

  /// Returns whether a setting belongs to a subject that was erased after it.
  func isErased(_ setting: Setting) -> Bool {
    guard !erased.isEmpty, let subject = SubjectSetting.subject(ofKey: setting.key),
      let sequence = erased[subject]
    else { return false }
    return setting.sequence < sequence
  }

  /// Returns whether a subject has any setting other than its erasure.
  func isAnything(about subject: [UInt8]) -> Bool {
    newest.values.contains {
      !$0.value.isEmpty && !isErased($0) && SubjectSetting.subject(ofKey: $0.key) == subject
        && Erasure.subject(ofKey: $0.key) == nil
    }
  }

  /// Returns the erasures of subjects whose rows a file may still contain.
  func erasures(_ symbols: SymbolTable) -> [Symbol: Erasure] {
    var result: [Symbol: Erasure] = [:]
    for subject in erased.keys {
      let setting = newest[SubjectSetting.erasure.prefix(subject)]
      guard let erasure = setting.flatMap({ Erasure($0, symbols) }) else { continue }
      result[erasure.subject] = erasure
    }
    return result
  }
}
