import Foundation
import SampleLog
import Testing

@testable import HealthStoreTool

/// Compares text written directly into bytes with the slow formatters.
@Suite struct EncoderTests {
  private func text(_ write: (inout TextBuffer) -> Void) -> String {
    var buffer = TextBuffer(capacity: 8)
    write(&buffer)
    return String(decoding: buffer.take(), as: UTF8.self)
  }

  /// Numbers of all magnitudes: any bit pattern, integers, and decimals with few fractional digits.
  private var numbers: [Double] {
    var state: UInt64 = 11
    func random() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 1
    }
    var numbers: [Double] = [
      0, -0.0, 0.1, 0.5, -0.25, 1e15, -1e15, 999_999_999_999_999, 1e16, 0.000001, 1e-7, 1.0 / 3,
      123_456_789.123456, 0.30000000000000004, .infinity, -.infinity, .nan,
      .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 2.5e-5, 100_000_000_000_000.5, 4_503_599_627_370_497.5,
    ]
    for _ in 0..<5000 {
      let places = Double([1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7][Int(random() % 8)])
      let number = Double(random() % 10_000_000_000) / places
      numbers += [Double(bitPattern: random()), number, -number, number.nextUp]
    }
    return numbers
  }

  @Test func `Numbers are written like Figures`() {
    for number in numbers {
      #expect(text { $0.append(number: number) } == Figures.number(number))
    }
  }

  @Test func `Dates are written like UTCText, in any order`() {
    var dates = DateText()
    for number in numbers {
      let seconds = number * 60
      #expect(text { dates.append(seconds, to: &$0) } == UTCText.text(seconds), "\(seconds)")
    }
    for seconds in stride(from: -3.0, through: 3, by: 0.0625) {
      #expect(text { dates.append(seconds, to: &$0) } == UTCText.text(seconds), "\(seconds)")
    }
  }

  @Test func `Dates are read bit for bit from UTCText`() {
    var count = 0
    for number in numbers + [0.1 + 0.2, 7e8 + 1 / 3.0, -7e8 - 1 / 3.0, 63_113_904_000] {
      // Dates within the years that a calendar supports, whose text is a time.
      for seconds in [number, number / 1000, (number * 10).rounded() / 10]
      where seconds.magnitude < 1e16 && (seconds == 0 || seconds.magnitude > 0.01) {
        #expect(UTCText.seconds(of: UTCText.text(seconds)) == seconds, "\(UTCText.text(seconds))")
        count += 1
      }
    }
    #expect(count > 10_000)
  }

  @Test func `Only times are read as times`() {
    #expect(UTCText.seconds(of: "2001-01-01T01:00:00.5+01:00") == 0.5)
    #expect(UTCText.seconds(of: "2000-12-31T23:30:00-00:30") == 0)
    #expect(UTCText.seconds(of: "2024-02-29T00:00:00Z") != nil)
    for text in [
      "", "2024-03-01", "2024-03-01T08:30:00", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z",
      "2024-03-01T24:00:00Z", "2024-03-01T08:60:00Z", "2024-03-01T08:30:00.Z",
      "2024-03-01T08:30:00Zx", "2024-03-01T08:30:00+0100", "24-03-01T08:30:00Z", "not-a-date",
    ] {
      #expect(UTCText.seconds(of: text) == nil, "\(text)")
    }
  }

  @Test func `Identifiers are written as UUIDs`() {
    for _ in 0..<1000 {
      let id = Identifier(UUID())
      #expect(text { $0.append(id) } == id.description)
    }
    let id = Identifier(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    #expect(text { $0.append(id) } == "01234567-89AB-CDEF-FEDC-BA9876543210")
  }

  @Test func `A value is made once for its key, and the cache is bounded`() {
    var cache = LastUsed<Int, String>()
    var made = 0
    func value(_ key: Int) -> String {
      cache.value(of: key) {
        made += 1
        return "\(key)"
      }
    }
    for key in [1, 1, 2, 1, 2, 2] { #expect(value(key) == "\(key)") }
    #expect(made == 2)
    for key in 0..<10_000 { #expect(value(key) == "\(key)") }
    #expect(value(1) == "1")
    #expect(made > 10_000)
  }
}
