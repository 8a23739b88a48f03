import Foundation
import HealthStore
import Testing

@testable import HealthTransfer

@Suite struct WireTests {
  static func batch() throws -> TransferBatch {
    var series = TransferSample(
      id: UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID(), type: "type",
      start: 800_000_000.125, end: 800_000_060, source: [1, 2], device: [3])
    series.value = -0.0
    series.unit = "count"
    series.metadata = [1, 0]
    series.contents = [1, 2, 3]
    series.parts = [
      .points(width: 2, numbers: [0, 1, 0.5, 1, .nan, -.infinity]), .links([1, 0]), .effort([4]),
      .workouts([UUID(), UUID()]),
    ]
    let plain = TransferSample(id: UUID(), type: "other", start: 1, end: 1, source: [1, 2])
    return TransferBatch(
      device: UUID(), number: 1 << 40, cursor: .max, anchor: [7, 8, 9], samples: [series, plain],
      deletions: [UUID(), UUID()])
  }

  @Test func `A batch survives encoding bit for bit`() throws {
    let batch = try Self.batch()
    let read = try TransferBatch(batch.data)
    #expect(read.data == batch.data)
    #expect(read.device == batch.device && read.number == batch.number)
    #expect(read.deletions == batch.deletions && read.anchor == batch.anchor)
    #expect(read.samples.map(\.id) == batch.samples.map(\.id))
    #expect(read.samples[1] == batch.samples[1])
    #expect(read.samples[0].value.sign == .minus)
  }

  @Test func `A reply survives encoding`() throws {
    for isGap in [false, true] {
      let reply = TransferReply(
        device: UUID(), number: 9, isGap: isGap, anchors: [1: [2], .max: []])
      #expect(try TransferReply(reply.data) == reply)
    }
  }

  @Test func `The bytes match the documented format`() throws {
    var sample = TransferSample(
      id: UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID(), type: "t", start: 2,
      end: 2, source: [5])
    sample.value = 62
    sample.unit = "u"
    let batch = TransferBatch(
      device: UUID(uuidString: "000102030405-0607-0809-0A0B0C0D0E0F")
        ?? UUID(
          uuid: (
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
          )), number: 300, cursor: 6,
      anchor: [9], samples: [sample], deletions: [])
    let bytes: [UInt8] =
      [0x48, 0x4B, 0x54, 0x42, 1] + [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]
      + [0xAC, 0x02] + [6, 0, 0, 0, 0, 0, 0, 0] + [1, 9] + [2, 1, 0x74, 1, 0x75] + [1, 1, 5] + [0]
      + [1, 3]
      + [0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0, 0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99]
      + [0x88, 0, 0, 0x40] + [0xC0, 0x9E, 0x01] + [1] + [0]
    #expect([UInt8](batch.data).dropLast(4) == bytes[...])
    #expect(WireChecksum.of(Array("123456789".utf8)[...]) == 0xE306_9283)
  }

  /// Changes bytes and corrects the checksum.
  private func changed(
    _ data: Data, _ change: (inout [UInt8]) -> Void
  ) -> Data {
    var bytes = [UInt8](data.dropLast(4))
    change(&bytes)
    let sum = WireChecksum.of(bytes[...])
    return Data(bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) })
  }

  @Test func `Every truncation and every changed bit is an error`() throws {
    let data = try Self.batch().data
    for length in 0..<data.count {
      #expect(throws: TransferError.self) { try TransferBatch(data.prefix(length)) }
      let cut = changed(data) { $0 = Array($0.prefix(length)) }
      if length < data.count - 4 {
        #expect(throws: TransferError.self, "\(length)") { try TransferBatch(cut) }
      }
    }
    for bit in 0..<data.count * 8 {
      var other = data
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: TransferError.self) { try TransferBatch(other) }
    }
  }

  @Test func `Hostile bytes are refused with the matching reason`() throws {
    let data = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [], deletions: []
    ).data
    func error(_ data: Data) -> TransferError? {
      do throws(TransferError) {
        _ = try TransferBatch(data)
        return nil
      } catch {
        return error
      }
    }
    // Offsets: number 21, cursor 22, anchor 30, names 31, sources 32, devices 33, samples 34,
    // deletions 35.
    let table: [(String, [UInt8], Range<Int>)] = [
      ("the number 0", [0], 21..<22),
      ("a number above 64 bits", [UInt8](repeating: 0xFF, count: 11), 21..<22),
      ("18446744073709551615 bytes of an anchor", huge, 30..<31),
      ("4097 bytes of an anchor", [0x81, 0x20] + [UInt8](repeating: 0, count: 4200), 30..<31),
      ("18446744073709551615 names", huge, 31..<32),
      ("4097 names", [0x81, 0x20] + [UInt8](repeating: 0, count: 5000), 31..<32),
      ("1025 bytes of a name", [1, 0x81, 8] + [UInt8](repeating: 65, count: 2000), 31..<32),
      ("bytes of a name that are no text", [1, 1, 0xFF], 31..<32),
      ("1025 sources", [0x81, 8] + [UInt8](repeating: 0, count: 2000), 32..<33),
      ("1025 devices", [0x81, 8] + [UInt8](repeating: 0, count: 2000), 33..<34),
      ("18446744073709551615 samples", huge, 34..<35),
      ("1 samples", [1], 34..<35),
      ("flags 64", [1, 64] + [UInt8](repeating: 0, count: 40), 34..<35),
      ("no name 0", [1, 1] + [UInt8](repeating: 0, count: 40), 34..<35),
      ("18446744073709551615 deletions", huge, 35..<36),
      ("bytes behind the end", [0, 0], 35..<36),
    ]
    for (reason, bytes, range) in table {
      let found = error(changed(data) { $0.replaceSubrange(range, with: bytes) })
      guard case .malformed(_, let said)? = found else {
        Issue.record("\(reason): \(String(describing: found))")
        continue
      }
      #expect(said == reason)
    }
    #expect(error(changed(data) { $0[4] = 2 }) == .unsupportedVersion(2))
    #expect(error(Data(data.dropLast()) + [0]) == .checksumMismatch)
    #expect(error(Data()) == .malformed(offset: 0, reason: "another signature"))
    #expect(
      error(Data(count: TransferLimit.bytes + 1))
        == .tooLarge(bytes: TransferLimit.bytes + 1, allowed: TransferLimit.bytes))
  }

  private let huge = [UInt8](repeating: 0xFF, count: 9) + [1]

  @Test func `Parts of unknown kinds and impossible points are refused`() throws {
    for part in [[9], [1, 0, 0], [1, 17, 0], [1, 2, 1, 0], [4, 1, 0]] as [[UInt8]] {
      var sample = TransferSample(id: UUID(), type: "t", start: 1, end: 1, source: [])
      sample.parts = [.links([])]
      let data = TransferBatch(
        device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: []
      ).data
      // The part precedes the number of deletions and the checksum.
      let other = changed(data) { $0.replaceSubrange($0.count - 3..<$0.count - 1, with: part) }
      #expect(throws: TransferError.self, "\(part)") { try TransferBatch(other) }
    }
  }

  @Test func `Every quantity type of HealthKit is sent in a unit of its kind`() throws {
    let prefix = "HKQuantityTypeIdentifier"
    let types = try HealthKitNames.all().filter { $0.hasPrefix(prefix + ".") }.compactMap { name in
      let word = name.dropFirst(prefix.count + 1)
      return HKObjectType.make(identifier: prefix + word.prefix(1).uppercased() + word.dropFirst())
        as? HKQuantityType
    }
    #expect(types.count > 100)
    for type in types {
      let unit = try #require(WireUnit.unit(of: type), "\(type.identifier)")
      #expect(type.is(compatibleWith: unit))
    }
  }
}
