internal import SampleLog

/// A cache of units by spelling and by combination.
///
/// Bounded: a full cache is cleared, so that many different spellings cost time but not memory.
/// Programs often construct `count/min` for each sample; the cache reduces this to one look-up.
final class UnitCache: Sendable {
  static let shared = UnitCache(limit: 1024)

  private let limit: Int
  private let units = Locked<[String: HKUnit]>([:])
  private let combinations = Locked<[Combination: HKUnit]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of cached spellings or combinations, whichever is greater.
  var count: Int { max(units.withLock { $0.count }, combinations.withLock { $0.count }) }

  /// Returns the unit with a spelling, and parses it on a cache miss.
  func unit(for string: String) throws(HKUnitError) -> HKUnit {
    if let known = units.withLock({ $0[string] }) { return known }
    return remember(try UnitForm(UnitParser.parse(string)), as: string)
  }

  /// Returns the product or quotient of two units, and computes it on a cache miss.
  func unit(for combination: Combination) throws(HKUnitError) -> HKUnit {
    if let known = combinations.withLock({ $0[combination] }) { return known }
    let sign = combination.isQuotient ? -1 : 1
    let right = combination.right.factors.map { factor in
      UnitFactor(symbol: factor.symbol, power: factor.power * sign)
    }
    let unit = unit(for: try UnitForm(combination.left.factors + right))
    combinations.withLock { combinations in
      if combinations.count >= limit { combinations.removeAll(keepingCapacity: true) }
      combinations[combination] = unit
    }
    return unit
  }

  /// Returns the unit shared by all forms with the same spelling.
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

extension UnitCache {
  /// A key of two units to multiply or divide, compared by identity.
  ///
  /// The cache retains both units.
  struct Combination: Hashable {
    let left: UnitForm
    let right: UnitForm
    let isQuotient: Bool

    static func == (one: Combination, other: Combination) -> Bool {
      one.left === other.left && one.right === other.right && one.isQuotient == other.isQuotient
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(left))
      hasher.combine(ObjectIdentifier(right))
      hasher.combine(isQuotient)
    }
  }
}
