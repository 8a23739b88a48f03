import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Arrays and dictionaries in keyed archives, which Foundation on Linux cannot read.
@Suite struct ArchivesTests {
  private static func archive(_ object: NSObject) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  private static func samples() throws -> [HKQuantitySample] {
    try (0..<3).map { index in
      try HKQuantitySample.validated(
        type: Make.heartRate, quantity: HKQuantity(unit: Make.bpm, doubleValue: 60 + Double(index)),
        start: Make.date(Double(index)), end: Make.date(Double(index) + 1),
        device: Make.device(name: "Strap"), metadata: ["note": "\(index)"],
        sourceRevision: Make.revision("org.example"))
    }
  }

  @Test func `An array survives with its elements, of one class or of several`() throws {
    let samples = try Self.samples()
    let data = try Self.archive(samples as NSArray)
    #expect(
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: data)
        == samples)
    #expect(
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKSample.self, from: data) == samples)
    let mixed: NSArray = [HKUnit.meter(), "x", 5, Date(timeIntervalSinceReferenceDate: 7)]
    let read = try NSKeyedUnarchiver.unarchivedArrayOfObjects(
      ofClasses: [HKUnit.self, NSString.self, NSNumber.self, NSDate.self],
      from: Self.archive(mixed))
    #expect(read?.count == 4 && read?[0] as? HKUnit == .meter() && read?[1] as? String == "x")
    #expect(read?[2] as? Int == 5 && read?[3] as? Date == Date(timeIntervalSinceReferenceDate: 7))
    let strings = try NSKeyedUnarchiver.unarchivedArrayOfObjects(
      ofClass: NSString.self, from: Self.archive(["a", "b"] as NSArray))
    #expect(strings == ["a", "b"])
    let none = try NSKeyedUnarchiver.unarchivedArrayOfObjects(
      ofClass: HKUnit.self, from: Self.archive(NSArray()))
    #expect(none == [])
  }

  @Test func `A dictionary survives with its keys and values`() throws {
    let units = [HKQuantityType(.heartRate): Make.bpm, HKQuantityType(.stepCount): .count()]
    let data = try Self.archive(units as NSDictionary)
    let read = try NSKeyedUnarchiver.unarchivedDictionary(
      ofKeyClass: HKQuantityType.self, objectClass: HKUnit.self, from: data)
    #expect(read == units)
    let named = try NSKeyedUnarchiver.unarchivedDictionary(
      ofKeyClasses: [NSString.self], objectClasses: [NSNumber.self, HKUnit.self],
      from: Self.archive(["one": 1, "unit": HKUnit.meter()] as NSDictionary))
    #expect(named?.count == 2 && named?["one"] as? Int == 1)
    #expect(named?["unit"] as? HKUnit == .meter())
  }

  @Test func `Elements, keys, values and roots of other classes are errors`() throws {
    let array = try Self.archive([HKUnit.meter(), "x"] as NSArray)
    let nested = try Self.archive([["x"]] as NSArray)
    let dictionary = try Self.archive(["a": HKUnit.meter()] as NSDictionary)
    for (classes, data) in [
      ([HKUnit.self], array), ([NSString.self], array), ([], array), ([NSString.self], nested),
      ([NSString.self], dictionary), ([HKUnit.self], try Self.archive(HKUnit.meter())),
    ] as [([AnyClass], Data)] {
      #expect(throws: CocoaError.self) {
        try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: classes, from: data)
      }
    }
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKUnit.self, from: array)
    }
    for (keys, values, data) in [
      ([HKUnit.self], [HKUnit.self], dictionary), ([NSString.self], [NSString.self], dictionary),
      ([HKUnit.self], [NSString.self], dictionary), ([NSString.self], [HKUnit.self], array),
    ] as [([AnyClass], [AnyClass], Data)] {
      #expect(throws: CocoaError.self) {
        try NSKeyedUnarchiver.unarchivedDictionary(
          ofKeyClasses: keys, objectClasses: values, from: data)
      }
    }
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedDictionary(
        ofKeyClass: HKUnit.self, objectClass: HKUnit.self, from: dictionary)
    }
  }

  @Test func `Data that is not an archive is an error`() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .binary, options: 0)
    for data in [Data(), Data([1, 2, 3]), Data(repeating: 0, count: 100), list] {
      #expect(throws: CocoaError.self) {
        try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKUnit.self, from: data)
      }
      #expect(throws: CocoaError.self) {
        try NSKeyedUnarchiver.unarchivedDictionary(
          ofKeyClass: NSString.self, objectClass: HKUnit.self, from: data)
      }
    }
  }

  /// An array of `count` references to one value: a marker and reference bytes.
  private static func list(of count: Int, _ marker: UInt8, _ size: Int, units: Int) -> Data {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("bplist00".utf8)
    bytes += [0xAF, 0x11] + number(count, 2) + [UInt8](repeating: 1, count: count)
    let value = bytes.count
    bytes += [marker, 0x11] + number(units, 2) + [UInt8](repeating: 0x61, count: size)
    let table = bytes.count
    bytes += number(8, 2) + number(value, 2)
    bytes += number(0, 6) + [2, 1] + number(2, 8) + number(0, 8) + number(table, 8)
    return Data(bytes)
  }

  @Test(arguments: [(0x4F, 1), (0x5F, 1), (0x6F, 2)] as [(UInt8, Int)])
  func `A list of a few kilobytes does not expand to megabytes`(marker: UInt8, unit: Int) throws {
    let short = Self.list(of: 20, marker, 2000, units: 2000 / unit)
    #expect((BinaryPropertyList.read(short) as? [Any])?.count == 20)
    let long = Self.list(of: 2000, marker, 2000, units: 2000 / unit)
    #expect(BinaryPropertyList.read(long) == nil)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKUnit.self, from: long)
    }
  }

  @Test(arguments: 0..<4)
  func `Damaged archives throw or decode, and never trap`(seed: UInt64) throws {
    var random = Seeded(mixing: seed)
    let units = [HKQuantityType(.heartRate): Make.bpm, HKQuantityType(.stepCount): .count()]
    for data in [
      try Self.archive(try Self.samples() as NSArray), try Self.archive(units as NSDictionary),
      try Self.archive([1, "x", UUID() as NSUUID, Date(), Data([1])] as NSArray),
    ] {
      // Foundation logs each failure, so only a fifth of the bytes is tested.
      for index in data.indices where random.once(in: 5) {
        var damaged = data
        damaged[index] ^= UInt8(1 << random.drawn(below: 8))
        if random.once(in: 4) { damaged = damaged.prefix(index) }
        let classes: [AnyClass] = [
          HKSample.self, NSNumber.self, NSString.self, NSUUID.self, NSDate.self,
        ]
        let array = try? NSKeyedUnarchiver.unarchivedArrayOfObjects(
          ofClasses: classes, from: damaged)
        #expect(
          array?.allSatisfy { object in
            object is HKSample || object is NSNumber || object is String || object is UUID
              || object is Date
          } ?? true)
        _ = try? NSKeyedUnarchiver.unarchivedDictionary(
          ofKeyClass: HKQuantityType.self, objectClass: HKUnit.self, from: damaged)
      }
    }
  }
}
