import Foundation
import Testing

@testable import HealthStore

@Suite struct UnitsQuantityTests {
  @Test(arguments: [0.1, 72, -0.0, 1e-300, .infinity, 0.1 + 0.2, 98.59999999999999])
  func `the same unit gives the exact same number`(value: Double) {
    let unit = HKUnit(from: "ml/(kg*min)")
    let other = HKUnit.literUnit(with: .milli).unitDivided(
      by: HKUnit.gramUnit(with: .kilo).unitMultiplied(by: .minute()))
    let quantity = HKQuantity(unit: unit, doubleValue: value)
    #expect(quantity.doubleValue(for: unit).bitPattern == value.bitPattern)
    #expect(quantity.doubleValue(for: other).bitPattern == value.bitPattern)
    #expect(other.form === unit.form)
  }

  @Test func `common conversions give the round number`() {
    func convert(_ value: Double, _ from: String, _ to: String) -> Double {
      HKQuantity(unit: HKUnit(from: from), doubleValue: value).doubleValue(for: HKUnit(from: to))
    }
    #expect(convert(72, "count/min", "count/s") == 1.2)
    #expect(convert(1.2, "count/s", "count/min") == 72)
    #expect(convert(171, "cm", "m") == 1.71)
    #expect(convert(70.5, "kg", "g") == 70500)
    #expect(convert(3, "hr", "min") == 180)
    #expect(convert(500, "mcg", "mg") == 0.5)
    #expect(convert(0.95, "%", "%") == 0.95)
  }

  @Test func `an incompatible unit traps, or throws in the throwing form`() async {
    let quantity = HKQuantity(unit: .gram(), doubleValue: 1)
    #expect(!quantity.is(compatibleWith: .meter()))
    #expect(throws: HKUnitError.incompatible(from: "g", to: "m")) {
      try quantity.value(in: .meter())
    }
    #expect((try? quantity.value(in: .gramUnit(with: .kilo))) == 0.001)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKQuantity(unit: .gram(), doubleValue: 1).doubleValue(for: .meter())
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      !TrapMessages.arePrinted || text.contains("a quantity in \"g\" cannot be expressed in \"m\""))
  }

  @Test func `quantities compare by amount`() {
    let mile = HKQuantity(unit: .mile(), doubleValue: 1)
    #expect(mile.compare(HKQuantity(unit: .meter(), doubleValue: 1609)) == .orderedDescending)
    #expect(mile.compare(HKQuantity(unit: .meter(), doubleValue: 1609.344)) == .orderedSame)
    #expect(mile.compare(HKQuantity(unit: .meter(), doubleValue: 1610)) == .orderedAscending)
  }

  @Test func `equal amounts are equal and hash alike, whatever the unit`() {
    let pairs: [(Double, String, Double, String)] = [
      (1, "kg", 1000, "g"), (60, "count/min", 1, "count/s"), (1, "hr", 60, "min"),
      (1, "kcal", 1, "Cal"), (0.5, "%", 0.5, "count"), (0, "degC", 273.15, "K"),
    ]
    for (left, unit, right, otherUnit) in pairs {
      let one = HKQuantity(unit: HKUnit(from: unit), doubleValue: left)
      let other = HKQuantity(unit: HKUnit(from: otherUnit), doubleValue: right)
      #expect(one == other)
      #expect(one.hash == other.hash)
    }
    let gram = HKQuantity(unit: .gram(), doubleValue: 1)
    #expect(gram != HKQuantity(unit: .meter(), doubleValue: 1))
    #expect(gram != HKQuantity(unit: .gram(), doubleValue: 2))
  }

  @Test func `a quantity's description matches exports`() {
    func describe(_ value: Double, _ unit: String) -> String {
      HKQuantity(unit: HKUnit(from: unit), doubleValue: value).description
    }
    #expect(describe(72, "count/min") == "72 count/min")
    #expect(describe(5.43, "kcal/(kg*hr)") == "5.43 kcal/hr·kg")
    #expect(describe(71488.3, "s") == "71488.3 s")
    #expect(describe(.nan, "m") == "nan m")
  }

  @Test func `a quantity survives an archive bit for bit`() throws {
    let quantity = HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: 0.1 + 0.2)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: quantity, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantity.self, from: data)
    #expect(back?.unit == quantity.unit)
    #expect(back?.value == quantity.value)
    #expect(quantity.copy() as? HKQuantity === quantity)
  }

  @Test func `an archive without a known unit decodes to nil`() throws {
    func coder(_ unit: String?, value: Double?) throws -> NSKeyedUnarchiver {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      if let unit { archiver.encode(unit as NSString, forKey: "unit") }
      if let unit { archiver.encode(unit as NSString, forKey: "unitString") }
      if let value { archiver.encode(value, forKey: "value") }
      archiver.finishEncoding()
      return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }
    #expect(HKQuantity(coder: try coder("kg", value: 1))?.value == 1)
    #expect(HKQuantity(coder: try coder("furlong", value: 1)) == nil)
    #expect(HKQuantity(coder: try coder("kg", value: nil)) == nil)
    #expect(HKQuantity(coder: try coder(nil, value: 1)) == nil)
    #expect(HKUnit(coder: try coder("ml", value: nil)) == HKUnit(from: "mL"))
    #expect(HKUnit(coder: try coder("furlong", value: nil)) == nil)
    #expect(HKUnit(coder: try coder(nil, value: nil)) == nil)
  }

  @Test func `a conversion changes numbers without objects and keeps their order`() throws {
    let units = [
      ("degC", "degF"), ("degF", "K"), ("dBASPL", "Pa"), ("Pa", "dBASPL"), ("lb", "kg"),
      ("count/min", "count/s"),
    ]
    for (from, to) in units {
      let conversion = try #require(HKUnit(from: from).conversion(to: HKUnit(from: to)))
      let values = stride(from: 1.0, through: 100, by: 0.5).map { conversion($0) }
      #expect(values == values.sorted())
      #expect(!conversion.isIdentity)
    }
    #expect(HKUnit.mile().conversion(to: .meter())?.isProportional == true)
    #expect(HKUnit.degreeCelsius().conversion(to: .kelvin())?.isProportional == false)
    #expect(HKUnit(from: "Pa").conversion(to: HKUnit(from: "dBASPL"))?.isProportional == false)
    #expect(HKUnit(from: "mPa").conversion(to: HKUnit(from: "Pa"))?.isProportional == true)
    let same = try #require(HKUnit(from: "ml").conversion(to: HKUnit(from: "mL")))
    #expect(same.isIdentity)
    #expect(same(0.1) == 0.1)
  }
}
