internal import SampleLog

/// The units made so far, by every spelling and every combination met.
///
/// Bounded: when it is full it starts afresh, so that a flood of odd spellings costs time only.
/// Real programs build `count/min` again for every sample; here that is one look-up.
final class UnitCache: Sendable {
  static let shared = UnitCache(limit: 1024)

  private let limit: Int
  private let units = Locked<[String: HKUnit]>([:])
  private let combinations = Locked<[Combination: HKUnit]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// How many spellings or combinations are remembered, whichever are more.
  var count: Int { max(units.withLock { $0.count }, combinations.withLock { $0.count }) }

  /// The unit of that spelling, parsed when it is new.
  func unit(for string: String) throws(HKUnitError) -> HKUnit {
    if let known = units.withLock({ $0[string] }) { return known }
    return remember(try UnitForm(UnitParser.parse(string)), as: string)
  }

  /// The product or quotient of two units, computed when it is new.
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

extension UnitCache {
  /// Two units to multiply or divide, compared by identity, which the table keeps alive.
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
