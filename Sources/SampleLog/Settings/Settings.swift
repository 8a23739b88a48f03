/// The newest value of each setting: the lineage, what durable subscriptions acknowledged,
/// erasures, and settings of series and subjects that were not erased since.
struct Settings: Sendable {
  private var newest: [[UInt8]: Setting] = [:]
  /// The sequence number of each subject's erasure, by its name.
  private var erased: [[UInt8]: UInt64] = [:]

  /// The settings, in no particular order.
  ///
  /// An array of its own: settings that change under a lock share nothing with it.
  var all: [Setting] { newest.values.filter { !isErased($0) } }

  subscript(key: [UInt8]) -> Setting? {
    guard let setting = newest[key], !isErased(setting) else { return nil }
    return setting
  }

  /// The record of the epochs before the store's own.
  var lineage: Lineage { newest[Lineage.key].flatMap { Lineage($0.value) } ?? Lineage() }

  /// Keeps a setting unless a newer value of it is known.
  mutating func keep(_ setting: Setting) {
    if let known = newest[setting.key], known.sequence > setting.sequence { return }
    newest[setting.key] = setting
    // What was erased is not looked for here, or opening would look through all for each erasure.
    if let subject = Erasure.subject(ofKey: setting.key) { erased[subject] = setting.sequence }
  }

  /// Forgets that subjects were erased, of whom nothing is left.
  mutating func forget(_ erasures: [Setting]) {
    let gone = erasures.filter { newest[$0.key] == $0 }
    if gone.isEmpty { return }
    let keys = Set(gone.map(\.key))
    newest = newest.filter { !isErased($0.value) && !keys.contains($0.key) }
    for erasure in gone {
      if let subject = Erasure.subject(ofKey: erasure.key) { erased[subject] = nil }
    }
  }

  /// Whether a setting is about a subject that was erased after it.
  func isErased(_ setting: Setting) -> Bool {
    guard !erased.isEmpty, let subject = SubjectSetting.subject(ofKey: setting.key),
      let sequence = erased[subject]
    else { return false }
    return setting.sequence < sequence
  }

  /// Whether there is anything about a subject but its erasure.
  func isAnything(about subject: [UInt8]) -> Bool {
    newest.values.contains {
      !$0.value.isEmpty && !isErased($0) && SubjectSetting.subject(ofKey: $0.key) == subject
        && Erasure.subject(ofKey: $0.key) == nil
    }
  }

  /// What was erased and may be in a file.
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
