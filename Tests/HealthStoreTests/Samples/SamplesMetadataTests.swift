import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct SamplesMetadataTests {
  @Test func `Numbers in a built sample can be read as Bool, Int, Double and NSNumber alike`() {
    let sample = Make.heartRate(metadata: [
      "bool": true, "int": 1, "double": 1.0, "float": Float(0.5), "int8": Int8(1),
      HKMetadataKeyWasUserEntered: true,
    ])
    for key in ["bool", "int", "double", "int8", HKMetadataKeyWasUserEntered] {
      let value = sample.metadata?[key]
      #expect(value as? Bool == true, "\(key)")
      #expect(value as? Int == 1, "\(key)")
      #expect(value as? Double == 1, "\(key)")
      #expect(value as? NSNumber == 1, "\(key)")
    }
    #expect(sample.metadata?["float"] as? Double == 0.5)
    #expect(sample.metadata?["float"] as? Int == nil)
  }

  @Test func `Text, dates and quantities are preserved, Foundation's classes included`() {
    let quantity = HKQuantity(unit: .meter(), doubleValue: 3)
    let metadata = Make.heartRate(metadata: [
      "text": "t", "nstext": NSString(string: "n"), "date": Make.date(5),
      "nsdate": NSDate(timeIntervalSinceReferenceDate: 6), "quantity": quantity,
    ]).metadata
    #expect(metadata?["text"] as? String == "t")
    #expect(metadata?["nstext"] as? String == "n")
    #expect(metadata?["date"] as? Date == Make.date(5))
    #expect(metadata?["nsdate"] as? Date == Make.date(6))
    #expect(metadata?["quantity"] as? HKQuantity == quantity)
    #expect(Make.heartRate(metadata: nil).metadata == nil)
  }

  static var everything: [String: Any] {
    [
      "": "", "text": "Grüße 🌍\0", "true": true, "false": false, "zero": 0, "minus": -1,
      "least": Int.min, "most": Int.max, "unsigned": UInt64.max, "double": 0.1,
      "negative zero": -0.0, "infinity": Double.infinity, "whole double": 1.0,
      "date": Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), "past": Date.distantPast,
      "quantity": HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: 99.5),
      "glucose": HKQuantity(
        unit: HKUnit(from: "mmol<180.1558800000541>/L"), doubleValue: 5.5),
    ]
  }

  @Test func `Every value survives encoding, with Bool, Int and Double distinct`()
    throws
  {
    let decoded = try MetadataCoding.decode(MetadataCoding.encode(Self.everything))
    #expect(decoded.count == Self.everything.count)
    for (key, value) in Self.everything {
      #expect(decoded[key].flatMap(MetadataValue.init) == MetadataValue(value), "\(key)")
    }
    #expect((decoded["negative zero"] as? Double)?.sign == .minus)
    #expect(decoded["glucose"] as? HKQuantity == Self.everything["glucose"] as? HKQuantity)
    #expect(
      (decoded["date"] as? Date)?.timeIntervalSinceReferenceDate.bitPattern
        == (0.1 + 0.2).bitPattern)
    #expect(decoded["true"] as? Int == 1)
    #expect(try MetadataCoding.encode(decoded) == MetadataCoding.encode(Self.everything))
  }

  @Test func `Equal metadata has equal bytes, whatever the order of insertion`() throws {
    var forwards: [String: Any] = [:]
    var backwards: [String: Any] = [:]
    for number in 0..<100 {
      forwards["key \(number)"] = number
      backwards["key \(99 - number)"] = 99 - number
    }
    #expect(try MetadataCoding.encode(forwards) == MetadataCoding.encode(backwards))
  }

  @Test func `The encoding is small and its bytes are fixed`() throws {
    #expect(try MetadataCoding.encode([:]) == [1, 0])
    #expect(
      try MetadataCoding.encode(["b": true, "a": -2, "c": "x"])
        == [1, 3, 1, 0x61, 4, 3, 1, 0x62, 3, 1, 0x63, 1, 1, 0x78])
  }

  @Test func `Encoding refuses long keys, big values and other classes`() {
    #expect(throws: HKInvalidSampleError.metadataKeyTooLong(bytes: 1025, allowed: 1024)) {
      try MetadataCoding.encode([String(repeating: "k", count: 1025): 1])
    }
    #expect(throws: HKInvalidSampleError.self) {
      try MetadataCoding.encode(["k": String(repeating: "v", count: 1 << 20)])
    }
    #expect(throws: HKInvalidSampleError.self) { try MetadataCoding.encode(["k": Data()]) }
  }

  @Test func `Metadata of the normalised size limit can be encoded`() throws {
    let text = String(repeating: "v", count: (1 << 20) - 64)
    let normal = try Metadata.normalized(["k": text])
    #expect(normal.encoded.count <= Metadata.largestEncoding)
    #expect(try MetadataCoding.encode(normal.values) == normal.encoded)
  }

  @Test(
    arguments: [
      ([], .truncated), ([2, 0], .unknownVersion(2)), ([1], .truncated), ([1, 1], .truncated),
      ([1, 0, 0], .trailingBytes), ([1, 0x80, 0], .malformedNumber),
      ([1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2], .malformedNumber),
      ([1, 1, 1, 0x61, 99], .unknownTag(99)), ([1, 1, 1, 0xFF, 2], .invalidText),
      ([1, 2, 1, 0x62, 2, 1, 0x61, 2], .unorderedKeys),
      ([1, 2, 1, 0x61, 2, 1, 0x61, 2], .unorderedKeys),
      ([1, 1, 1, 0x61, 6, 0, 0], .truncated), ([1, 1, 1, 0x61, 5, 7], .malformedNumber),
      ([1, 1, 1, 0x61, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x21], .trailingBytes),
      ([1, 1, 1, 0x61, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x21], .unknownUnit("!")),
      ([1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], .truncated),
    ] as [([UInt8], MetadataCoding.DecodingError)])
  func `Malformed bytes are refused with the reason`(
    bytes: [UInt8], expected: MetadataCoding.DecodingError
  ) {
    do {
      let decoded = try MetadataCoding.decode(bytes)
      Issue.record("decoded \(decoded)")
    } catch {
      #expect(error == expected)
    }
  }

  @Test
  func `20,000 altered encodings never trap, and decoded ones can be encoded again`()
    throws
  {
    var random = Seeded(state: 7)
    let valid = try MetadataCoding.encode(Self.everything)
    var decodedCount = 0
    for round in 0..<20_000 {
      var bytes: [UInt8]
      switch round % 3 {
      case 0:
        bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        if !bytes.isEmpty { bytes[0] = 1 }
      case 1: bytes = Array(valid.prefix(Int.random(in: 0..<valid.count, using: &random)))
      default:
        bytes = valid
        for _ in 0...Int.random(in: 0...2, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
      }
      guard let decoded = try? MetadataCoding.decode(bytes) else { continue }
      decodedCount += 1
      let again = try MetadataCoding.decode(MetadataCoding.encode(decoded))
      #expect(again.count == decoded.count)
    }
    #expect(decodedCount > 100)
  }
}
