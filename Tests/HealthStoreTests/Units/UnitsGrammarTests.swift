import Foundation
import Testing

@testable import HealthStore

@Suite struct UnitsGrammarTests {
  @Test(arguments: [
    ("count/min", "count/min"), ("mL/min·kg", "mL/min·kg"), ("ml/(kg*min)", "mL/min·kg"),
    ("kcal/hr·kg", "kcal/hr·kg"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("l", "L"), ("dl", "dL"),
    ("mmol<180.1558800000541>/L", "mmol<180.1558800000541>/L"),
    ("mmol<180.15588000005408>/l", "mmol<180.1558800000541>/L"), ("%", "%"), ("degC", "degC"),
    ("kg/m.s^2", "kg/m·s^2"), ("kg/(m.s^2)", "kg/m·s^2"), ("kg.m^-1.s^-2", "kg/m·s^2"),
    ("m*m", "m^2"), ("m.m^-1", "()"), ("s^-1", "1/s"), ("1/L", "1/L"), ("s^-2·m^-1", "1/m·s^2"),
    ("(m/s)/s", "m/s^2"), ("m/(s/m)", "m^2/s"), ("", "()"), ("mol", "mol"), ("Gmol", "Gmol"),
    ("m^0", "()"), ("()", "()"), ("1", "()"), ("mol/l", "mol/L"),
    ("m^+2", "m^2"), ("mcg", "mcg"), ("Cal", "Cal"),
    ("km/hr", "km/hr"), ("mcmol<1e3>", "mcmol<1000>"), ("kg/g", "kg/g"), ("mg/dL", "mg/dL"),
    ("fl_oz_us", "fl_oz_us"), ("((((m))))", "m"), ("(())", "()"), ("((()))", "()"),
    ("(m^2)^2", "m^4"), ("(m·atm)^2", "atm^2·m^2"), ("(m)^1", "m"), ("(m^-1)^-2", "m^2"),
    ("((m·atm)^2)^2·GL/in^2", "atm^4·GL·m^4/in^2"), ("(m^50)^0", "()"), ("(1)^2", "()"),
  ])
  func `a unit string has one canonical spelling, which parses to the same unit`(
    string: String, canonical: String
  ) throws {
    let unit = try HKUnit.parse(string)
    #expect(unit.unitString == canonical)
    #expect(try HKUnit.parse(canonical) == unit)
    #expect(try HKUnit.parse(canonical).unitString == canonical)
    #expect(HKUnit(from: string).hash == HKUnit(from: canonical).hash)
  }

  @Test(arguments: [
    ("furlong", HKUnitError.unknownSymbol("furlong")), ("count/", .unexpectedEnd),
    ("()·()", .unexpected(")", offset: 1)), ("()·m", .unexpected(")", offset: 1)),
    ("m·()", .unexpected(")", offset: 4)), ("()^2", .unexpected(")", offset: 1)),
    ("(m·atm/in^4)^2", .unexpected("^", offset: 13)), ("(m/s)^1", .unexpected("^", offset: 5)),
    ("((m/s)·s)^2", .unexpected("^", offset: 10)), ("(m^50)^2", .badPower("100")),
    ("((m^99)^99)^99", .badPower("9801")), ("(m)^2^2", .unexpected("^", offset: 5)),
    ("(())·m", .unexpected(")", offset: 2)), ("(()", .unexpected(")", offset: 2)),
    ("(m)^", .badPower("")), ("m(s)", .unexpected("(", offset: 1)),
    ("/min", .unexpected("/", offset: 0)), ("a/b", .unknownSymbol("a")),
    ("m/s/s", .unexpected("/", offset: 3)), ("m..s", .unexpected(".", offset: 2)),
    ("m^", .badPower("")), ("m^x", .badPower("")), ("m^-", .badPower("-")),
    ("m^100", .badPower("100")), ("m^99999999999999999999", .badPower("99999999999999999999")),
    ("m^-9223372036854775808", .badPower("-9223372036854775808")),
    ("m^50/m^-50", .badPower("100")), ("m^99.m", .badPower("100")), ("(m", .unexpectedEnd),
    ("m)", .unexpected(")", offset: 1)), ("mol<", .unexpectedEnd), ("mol<>", .badMolarMass("")),
    ("mol<-5>", .badMolarMass("-5")), ("mol<0>", .badMolarMass("0")),
    ("mol<nan>", .badMolarMass("nan")), ("mol<inf>", .badMolarMass("inf")),
    ("mol<x>", .badMolarMass("x")), ("g<5>", .unknownSymbol("g")),
    ("count min", .unknownSymbol("count min")), (" m", .unknownSymbol(" m")),
    ("kkg", .unknownSymbol("kkg")), ("kmin", .unknownSymbol("kmin")),
    ("²", .unexpected("²", offset: 0)),
    ("m^2^3", .unexpected("^", offset: 3)), ("mm2", .unknownSymbol("mm2")),
    ("\u{0}", .unknownSymbol("\u{0}")), ("·", .unexpected("·", offset: 0)),
  ])
  func `a bad unit string is refused with its reason`(string: String, error: HKUnitError) {
    #expect(throws: error) { try HKUnit.parse(string) }
    #expect(error.description.hasSuffix("."))
  }

  @Test func `deep, long and many parentheses are refused or parsed`() throws {
    let deep = String(repeating: "(", count: 500) + "m" + String(repeating: ")", count: 500)
    #expect(throws: HKUnitError.tooDeep) { try HKUnit.parse(deep) }
    let long = String(repeating: "m.", count: 600) + "m"
    #expect(throws: HKUnitError.tooLong) { try HKUnit.parse(long) }
    for depth in [16, 17] {
      let empty = String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
      #expect((try? HKUnit.parse(empty)) == (depth == 16 ? .null : nil))
    }
    let wide = Array(repeating: "(1)", count: 250).joined(separator: ".")
    #expect(try HKUnit.parse(wide).isNull())
  }

  @Test func `no string of the grammar's characters makes the parser trap`() {
    var state: UInt64 = 42
    let pieces = [
      "m", "s", "count", "min", "mol<18>", "mol<", ">", "(", ")", "/", ".", "*", "·", "^", "-", "2",
      "99", "1", "%", "k", " ", "\u{C2}", "é", "degC", "dBASPL",
    ]
    for _ in 0..<20_000 {
      var string = ""
      for _ in 0..<Int(1 + (state >> 60)) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        string += pieces[Int((state >> 33) % UInt64(pieces.count))]
      }
      if let unit = try? HKUnit.parse(string) {
        #expect((try? HKUnit.parse(unit.unitString)) == unit, "\(string)")
      }
    }
  }

  @Test func `the initialiser traps on a bad string with the reason`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKUnit(from: "count/fortnight")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!TrapMessages.arePrinted || text.contains("\"fortnight\" is not the symbol of a unit"))
  }

  @Test func `algebra gives the same unit as the string`() {
    #expect(HKUnit.count().unitDivided(by: .minute()) == HKUnit(from: "count/min"))
    #expect(HKUnit.meter().unitMultiplied(by: .second()) == HKUnit(from: "m.s"))
    #expect(HKUnit.second().unitMultiplied(by: .meter()) == HKUnit(from: "m.s"))
    #expect(HKUnit.meter().unitRaised(toPower: -2) == HKUnit(from: "m^-2"))
    #expect(HKUnit(from: "m/s").reciprocal() == HKUnit(from: "s/m"))
    #expect(HKUnit.meter().unitDivided(by: .meter()).isNull())
    #expect(HKUnit.meter().unitRaised(toPower: 0).isNull())
    #expect(!HKUnit.count().isNull())
  }

  @Test func `a power beyond the limit traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKUnit.meter().unitRaised(toPower: Int.max)
    }
  }

  @Test func `units are equal if they have the same dimension and scale, spelling apart`() {
    #expect(HKUnit(from: "ml") == HKUnit(from: "mL"))
    #expect(HKUnit.kilocalorie() != .largeCalorie())
    #expect(HKUnit.meter() != .foot())
    #expect(Set([HKUnit(from: "m/s"), HKUnit(from: "m.s^-1")]).count == 1)
  }

  @Test func `every canonical unit survives an archive`() throws {
    for row in QuantityTypeRow.all {
      let unit = HKUnit(from: row.unit)
      let data = try NSKeyedArchiver.archivedData(withRootObject: unit, requiringSecureCoding: true)
      #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data) == unit)
    }
  }

  @Test func `the cache of parsed units stays within its bound`() throws {
    let cache = UnitCache(limit: 64)
    for mass in 1...1000 { _ = try cache.unit(for: "mol<\(mass).0>/L") }
    #expect(cache.count <= 64)
    let seconds = try cache.unit(for: "s").form
    for mass in 1...1000 {
      let moles = try cache.unit(for: "mol<\(mass).0>").form
      _ = try cache.unit(for: .init(left: moles, right: seconds, isQuotient: true))
    }
    #expect(cache.count <= 64)
    let unit = try cache.unit(for: "count/min")
    #expect(try cache.unit(for: "count/min") === unit)
  }

  @Test func `many threads may parse at once`() async {
    let strings = await withTaskGroup(of: String.self) { group in
      for index in 0..<200 {
        group.addTask { HKUnit(from: "mol<\(index % 10 + 1)>/L").unitString }
      }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(strings.count == 10)
  }
}
