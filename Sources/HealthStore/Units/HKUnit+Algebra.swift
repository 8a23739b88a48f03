// Products, quotients and powers of units.
extension HKUnit {
  /// Returns the product of two units.
  ///
  /// - Precondition: The power of every symbol is from -99 to 99.
  public func unitMultiplied(by unit: HKUnit) -> HKUnit {
    combine(with: unit, isQuotient: false)
  }

  /// Returns the quotient of two units.
  ///
  /// - Precondition: The power of every symbol is from -99 to 99.
  public func unitDivided(by unit: HKUnit) -> HKUnit {
    combine(with: unit, isQuotient: true)
  }

  /// Returns the unit raised to a power, which may be negative.
  ///
  /// - Precondition: The power of every symbol is from -99 to 99.
  public func unitRaised(toPower power: Int) -> HKUnit {
    HKUnit.combine(
      form.factors.map { factor in
        let (product, overflow) = factor.power.multipliedReportingOverflow(by: power)
        trapUnless(
          !overflow && abs(product) <= UnitForm.powerLimit,
          "\(unitString) cannot be raised to the power \(power): powers end at 99")
        return UnitFactor(symbol: factor.symbol, power: product)
      })
  }

  /// Returns the reciprocal of the unit.
  public func reciprocal() -> HKUnit {
    HKUnit.combine(form.factors.map { UnitFactor(symbol: $0.symbol, power: -$0.power) })
  }

  /// The null unit, which is the number one.
  static let null = HKUnit.combine([])

  private func combine(with unit: HKUnit, isQuotient: Bool) -> HKUnit {
    do {
      return try UnitCache.shared.unit(
        for: UnitCache.Combination(left: form, right: unit.form, isQuotient: isQuotient))
    } catch {
      fatalError("\(unitString) and \(unit) cannot be combined: \(error)")
    }
  }

  private static func combine(_ factors: [UnitFactor]) -> HKUnit {
    do {
      return UnitCache.shared.unit(for: try UnitForm(factors))
    } catch {
      fatalError("the units cannot be combined: \(error)")
    }
  }
}
