import Synchronization

/// The units parsed so far, by every spelling met.
///
/// Bounded: when it is full it starts afresh, so that a flood of odd spellings costs time only.
final class UnitCache: Sendable {
  static let shared = UnitCache(limit: 1024)

  private let limit: Int
  private let units = Mutex<[String: HKUnit]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// How many spellings are remembered.
  var count: Int { units.withLock { $0.count } }

  /// The unit of that spelling, parsed when it is new.
  func unit(for string: String) throws(HKUnitError) -> HKUnit {
    if let known = units.withLock({ $0[string] }) { return known }
    return remember(try UnitForm(UnitParser.parse(string)), as: string)
  }

  /// The one unit that stands for all forms of the same spelling.
  func unit(for form: UnitForm) -> HKUnit {
    remember(form, as: form.string)
  }

  private func remember(_ form: UnitForm, as string: String) -> HKUnit {
    units.withLock { units in
      let unit = units[form.string] ?? HKUnit(form: form)
      if units.count + 2 > limit { units.removeAll(keepingCapacity: true) }
      units[form.string] = unit
      units[string] = unit
      return unit
    }
  }
}
