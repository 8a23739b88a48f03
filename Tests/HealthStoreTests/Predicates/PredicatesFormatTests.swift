import Foundation
import HealthStore
import Testing

/// Uses only the public interface, like a program.
@Suite struct PredicatesFormatTests {
  private let sample = HKQuantitySample(
    type: HKQuantityType(.heartRate),
    quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60),
    start: Date(timeIntervalSinceReferenceDate: 10), end: Date(timeIntervalSinceReferenceDate: 20),
    device: HKDevice(
      name: "Strap", manufacturer: nil, model: "É1", hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil),
    metadata: [
      HKMetadataKeyWasUserEntered: true, "org.example.level": 7, "org.example.note": "Früh",
    ])

  private func admits(_ format: String, _ arguments: Any?...) -> Bool? {
    try? NSPredicate.healthPredicate(format: format, arguments: arguments)
      .evaluate(with: sample)
  }

  private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  @Test func `Common formats compile and have the same meaning as on Apple's platforms`() {
    let date = at(5)
    let now = NSDate(timeIntervalSinceReferenceDate: 15)
    #expect(
      NSPredicate(
        format: "%K > %@ AND %K < %@", HKPredicateKeyPathStartDate, date as any CVarArg,
        HKPredicateKeyPathStartDate, now
      ).evaluate(with: sample))
    #expect(
      NSPredicate(format: "%K >= %@", HKPredicateKeyPathEndDate, date).evaluate(with: sample))
    #expect(
      !NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
        .evaluate(with: sample))
    #expect(
      NSPredicate(format: "metadata.%K != NO", HKMetadataKeyWasUserEntered)
        .evaluate(with: sample))
    #expect(
      NSPredicate(format: "metadata.%K != YES", "Absent").evaluate(with: sample))
    #expect(
      NSPredicate(
        format: "%K IN %@", argumentArray: [HKPredicateKeyPathUUID, [sample.uuid, UUID()]]
      ).evaluate(with: sample))
    #expect(NSPredicate(format: "TRUEPREDICATE").evaluate(with: sample))
    #expect(!NSPredicate(format: "FALSEPREDICATE", argumentArray: nil).evaluate(with: sample))
  }

  @Test func `Sources are filtered by name and identifier`() {
    let sources = ["com.apple.health", "com.Example.app", "org.example"].map {
      HKSource(name: $0.uppercased(), bundleIdentifier: $0)
    }
    func names(_ predicate: NSPredicate) -> [String] {
      sources.filter { predicate.evaluate(with: $0) }.map(\.bundleIdentifier)
    }
    #expect(
      names(NSPredicate(format: "%K = %@", "bundleIdentifier", "org.example")) == ["org.example"])
    #expect(
      names(NSPredicate(format: "bundleIdentifier BEGINSWITH 'com.'")).count == 2)
    #expect(
      names(NSPredicate(format: "%K BEGINSWITH[c] %@", "bundleIdentifier", "COM.EX")).count == 1)
    #expect(names(NSPredicate(format: "name ENDSWITH 'EXAMPLE'")) == ["org.example"])
    #expect(names(NSPredicate(format: "name =[c] %@", "org.example")) == ["org.example"])
  }

  @Test func `Operators have the precedence of Apple's platforms, as words and as signs`() {
    for (or, and, not) in [("OR", "AND", "NOT"), ("||", "&&", "!"), ("or", "and", "not")] {
      #expect(admits("TRUEPREDICATE \(or) FALSEPREDICATE \(and) FALSEPREDICATE") == true)
      #expect(admits("(TRUEPREDICATE \(or) FALSEPREDICATE) \(and) FALSEPREDICATE") == false)
      #expect(admits("\(not) FALSEPREDICATE \(and) FALSEPREDICATE") == false)
      #expect(admits("\(not) (FALSEPREDICATE \(and) FALSEPREDICATE)") == true)
    }
  }

  @Test func `Comparison operators have all their spellings`() {
    for sign in ["=", "==", "<=", "=<", ">=", "=>"] {
      #expect(admits("startDate \(sign) %@", at(10)) == true, "\(sign)")
    }
    for sign in ["!=", "<>", "<", ">"] {
      #expect(admits("startDate \(sign) %@", at(10)) == false, "\(sign)")
    }
    #expect(admits("%@ < startDate", at(9)) == true)
    #expect(admits("%@ >= startDate", at(9)) == false)
    #expect(admits("startDate BETWEEN %@", [at(10), at(11)]) == true)
    #expect(admits("startDate BETWEEN {%@, %@}", at(11), at(12)) == false)
    #expect(admits("1 == 1") == true)
    #expect(admits("1 = 0") == false)
    #expect(admits("'a' IN {'b', 'a'}") == true)
  }

  @Test func `Numbers are read in every notation and through every placeholder`() {
    for seven in ["7", "7.0", "+7", "70e-1", "0.7E1"] {
      #expect(admits("metadata.org.example.level == \(seven)") == true, "\(seven)")
    }
    #expect(admits("metadata.org.example.level > -7.5") == true)
    for placeholder in ["%d", "%i", "%ld", "%lu", "%lld", "%f", "%lf", "%@", "%u", "%g"] {
      #expect(
        admits("metadata.%K == \(placeholder)", "org.example.level", 7) == true, "\(placeholder)")
    }
  }

  @Test func `Text operators take options on metadata and device`() {
    #expect(admits("metadata.org.example.note == 'Früh'") == true)
    #expect(admits("metadata.org.example.note == 'früh'") == false)
    #expect(admits("metadata.org.example.note ==[cd] 'fruh'") == true)
    #expect(admits("metadata.org.example.note CONTAINS[d] 'ru'") == true)
    #expect(admits("metadata.org.example.note LIKE[c] 'FR?H'") == true)
    #expect(admits("metadata.org.example.note MATCHES 'F.*h'") == true)
    #expect(admits("device.name == %@", "Strap") == true)
    #expect(admits("device.model BEGINSWITH[d] 'E'") == true)
    #expect(admits("device.manufacturer == nil") == true)
    #expect(admits("device.name IN {'Strap', 'Watch'}") == true)
    #expect(admits("metadata.org.example.note == \"Fr\\\"\"") == false)
  }

  @Test func `Arguments may be quantities, sources, devices, identifiers and nil`() {
    let perSecond = HKQuantity(unit: HKUnit(from: "count/s"), doubleValue: 1)
    #expect(admits("quantity == %@", perSecond) == true)
    #expect(admits("%K > %@", HKPredicateKeyPathQuantity, perSecond) == false)
    #expect(admits("source == %@", HKSource.default()) == true)
    #expect(admits("source IN %@", Set([HKSource.default()])) == true)
    #expect(admits("source != %@", HKSource(name: "x", bundleIdentifier: "y")) == true)
    #expect(admits("device == %@", sample.device) == true)
    #expect(admits("device == nil") == false)
    #expect(admits("device != %@", nil) == true)
    #expect(admits("UUID == %@", sample.uuid) == true)
    #expect(admits("UUID == %@", sample.uuid.uuidString) == true)
    #expect(admits("UUID == %@", NSUUID()) == false)
    #expect(admits("metadata.x == NULL AND metadata.HKWasUserEntered != nil") == true)
    #expect(admits("correlation == nil") == true)
    #expect(admits("sourceRevision.source.name == %@", HKSource.default().name) == true)
  }

  @Test func `A bound between two category values moves to the next one inside`() throws {
    let sample = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: 2, start: at(0), end: at(1))
    for (format, expected) in [
      ("value > 1.5", true), ("value < 2.5", true), ("value < 1.5", false),
      ("value > 2.5", false), ("value == 1.5", false), ("value != 1.5", true),
      ("value < 1e300", true), ("value > 1e300", false), ("value > -1e300", true),
      ("value == 2.0", true), ("value IN {1, 2}", true), ("value BETWEEN {0, 1}", false),
    ] {
      let predicate = try NSPredicate.healthPredicate(format: format)
      #expect(predicate.evaluate(with: sample) == expected, "\(format)")
    }
  }

  @Test func `Extra arguments are ignored`() {
    #expect(admits("startDate < %@", at(11), at(12)) == true)
  }
}
