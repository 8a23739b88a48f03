/// The newest value of each setting: the lineage, what durable subscriptions acknowledged, and
/// settings of series.
struct Settings: Sendable {
  private var newest: [[UInt8]: Setting] = [:]

  /// The settings, in no particular order.
  ///
  /// An array of its own: settings that change under a lock share nothing with it.
  var all: [Setting] { Array(newest.values) }

  subscript(key: [UInt8]) -> Setting? { newest[key] }

  /// The record of the epochs before the store's own.
  var lineage: Lineage { newest[Lineage.key].flatMap { Lineage($0.value) } ?? Lineage() }

  /// Keeps a setting unless a newer value of it is known.
  mutating func keep(_ setting: Setting) {
    if let known = newest[setting.key], known.sequence > setting.sequence { return }
    newest[setting.key] = setting
  }
}
