import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

@Suite struct TextTests {
  @Test(
    arguments: [
      (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
      (-1, "2000-12-31T23:59:59Z"), (730_857_600.123456, "2024-02-29T00:00:00.123456Z"),
      (-978_307_200.25, "1969-12-31T23:59:59.75Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
      (0.9999999, "2001-01-01T00:00:00.9999999Z"), (-1e-5, "2000-12-31T23:59:59.99999Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"),
    ])
  func `Dates are printed as ISO 8601 in UTC with the fewest digits`(
    seconds: Double, text: String
  ) {
    #expect(UTCText.text(seconds) == text)
  }

  @Test(
    arguments: [
      (1e12, "+33689-09-27T01:46:40Z"), (1e15, "+31690739-07-06T01:46:40Z"),
      (-1e12, "-29688-04-06T22:13:20Z"), (-63_145_699_200, "-0001-12-30T00:00:00Z"),
      (1e300, "2001-01-01T00:00:00Z+1e+300s"), (-1e300, "2001-01-01T00:00:00Z-1e+300s"),
      (.infinity, "infinity"), (-.infinity, "-infinity"), (.nan, "not-a-date"),
    ])
  func `Dates beyond year 9999 are printed exactly, and those that are not finite as a word`(
    seconds: Double, text: String
  ) {
    #expect(UTCText.text(seconds) == text)
    _ = UTCText.short(seconds)
    _ = UTCText.clock(Date(timeIntervalSinceReferenceDate: seconds))
    _ = UTCText.day(Date(timeIntervalSinceReferenceDate: seconds))
  }

  @Test func `Different dates are printed differently, whatever their magnitude`() {
    var state: UInt64 = 7
    func random() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
    for _ in 0..<5000 {
      // Any bit pattern, and dates near the present.
      let any = Double(bitPattern: random())
      let near = Double(random() >> 32) * 0.37 - 5e8
      for date in [any, near, -near / 3, Double(Int(near))] where date.isFinite {
        #expect(UTCText.text(date) != UTCText.text(date.nextUp), "\(date)")
      }
    }
  }

  @Test func `Fractional seconds count forward, even before 2001`() throws {
    for date in stride(from: -3.0, through: 3, by: 0.0625) {
      let text = UTCText.text(date)
      let parsed = try #require(TimeArgument.date(text))
      #expect(parsed.timeIntervalSinceReferenceDate == date, "\(text)")
    }
  }

  @Test func `Foundation reads the JSON back`() throws {
    var object = JSONObject()
    let odd = "quote \" slash \\ line\nreturn\rtab\tbell\u{7} \u{1F600} \u{2028}"
    object.add("odd \"key\"", odd)
    object.add("whole", 62.0)
    object.add("part", 0.1)
    object.add("small", 1e-12)
    object.add("large", 1e300)
    object.add("none", Double.nan)
    object.add("list", ["a", "b\""])
    object.add(ifAny: "absent", "")
    object.add(
      "metadata",
      JSONObject(metadata: [
        "flag": NSNumber(value: true), "number": NSNumber(value: 3), "text": "t",
        "quantity": HKQuantity(unit: .meter(), doubleValue: 2.5),
        "date": Date(timeIntervalSinceReferenceDate: 0),
      ]))
    let value = try JSONSerialization.jsonObject(with: Data(object.text.utf8))
    let read = try #require(value as? [String: Any])
    #expect(read["odd \"key\""] as? String == odd)
    #expect(read["part"] as? Double == 0.1)
    #expect(read["small"] as? Double == 1e-12)
    #expect(read["large"] as? Double == 1e300)
    #expect(read["none"] is NSNull)
    #expect(read["list"] as? [String] == ["a", "b\""])
    #expect(read["absent"] == nil)
    #expect(object.text.contains(#""whole":62,"#))
    #expect(
      object.text.hasSuffix(
        #""metadata":{"date":"2001-01-01T00:00:00Z","flag":true,"number":3,"#
          + #""quantity":{"value":2.5,"unit":"m"},"text":"t"}}"#))
  }

  @Test func `Fields of CSV are quoted when they need it`() {
    #expect(OutputFormat.csv(["a", "", "b c"]) == "a,,b c")
    #expect(
      OutputFormat.csv(["a,b", "say \"hi\"", "two\nlines"])
        == "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"")
    #expect(OutputFormat.csv([" edge", "cr\r", "crlf\r\n"]) == "\" edge\",\"cr\r\",\"crlf\r\n\"")
  }

  @Test func `Numbers are printed the same in every locale`() {
    #expect(Figures.count(0) == "0")
    #expect(Figures.count(999) == "999")
    #expect(Figures.count(-1_234_567) == "-1,234,567")
    #expect(Figures.number(62) == "62")
    #expect(Figures.number(0.97) == "0.97")
    #expect(Figures.short(59.63449) == "59.634")
    #expect(Figures.short(100) == "100")
    #expect(Figures.bytes(999) == "999 B")
    #expect(Figures.bytes(1_012_616) == "1.01 MB")
    #expect(Figures.bytes(999_999) == "1.00 MB")
    #expect(Figures.time(0.000234) == "234 us")
    #expect(Figures.time(0.0123) == "12.3 ms")
    #expect(Figures.time(4.561) == "4.56 s")
  }

  @Test func `Progress shows the share, the number and the rate`() {
    let text = ProgressLine.text(fraction: 0.5, count: 2000, elapsed: 2)
    #expect(
      text == "[###############...............]  50%  2,000 samples  1,000 samples/s  2 s left")
    #expect(
      ProgressLine.text(fraction: 0.25, count: 100, elapsed: 100, hasBar: false)
        == " 25%  100 samples  1 samples/s  5 min left")
    #expect(
      ProgressLine.text(fraction: nil, count: 7, elapsed: 0) == "7 samples")
  }

  @Test(
    arguments: [
      (true, [:], "\r[...............", "\r\u{1B}[K"), (true, ["NO_COLOR": "1"], "  0%  5", "\n"),
      (true, ["TERM": "dumb"], "  0%  5", "\n"), (false, [:], "  0%  5", "\n"),
    ])
  func `Progress is redrawn on a terminal, and is plain lines elsewhere and on request`(
    isTerminal: Bool, environment: [String: String], start: String, end: String
  ) {
    let written = Locked("")
    let output = Output(isTerminal: isTerminal) { bytes in
      written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    var progress = ProgressLine(output, pause: .zero, environment: environment)
    progress.show(fraction: 0, count: 5)
    progress.clear()
    let text = written.withLock { $0 }
    #expect(text.hasPrefix(start), "\(text.debugDescription)")
    #expect(text.hasSuffix(end), "\(text.debugDescription)")
    #expect(text.contains("\u{1B}") == (end != "\n"))
  }

  @Test func `Tables are as wide as their content and have no trailing spaces`() {
    var table = TextTable([("NAME", .left), ("COUNT", .right), ("NOTE", .left)])
    table.add(["a", "1", ""])
    table.add(["longer", "1,000,000", "x"])
    #expect(
      table.lines() == [
        "NAME        COUNT  NOTE", "a               1", "longer  1,000,000  x",
      ])
  }

  @Test func `An anchor's text is parsed back to the anchor`() throws {
    let origin = Anchor.Origin(
      storeID: Identifier(high: 0x0123_4567_89ab_cdef, low: .max), epoch: 3)
    let anchor = Anchor(sequence: 1 << 40, origin: origin)
    #expect(AnchorText.text(of: anchor) == "AwHvzauJZ0UjAf__________AwAAAICAgICAIAAAfXDIsw")
    #expect(AnchorText.anchor(AnchorText.text(of: anchor)) == anchor)
  }

  @Test func `A text with any one character changed is not an anchor`() {
    let origin = Anchor.Origin(storeID: Identifier(high: 1, low: 2), epoch: 1)
    let text = AnchorText.text(of: Anchor(sequence: 77, origin: origin))
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "B" ? "C" : "B")
      #expect(AnchorText.anchor(changed) == nil)
    }
    #expect(AnchorText.anchor("") == nil)
    #expect(AnchorText.anchor("nonsense!") == nil)
    #expect(AnchorText.anchor(text + "A") == nil)
    #expect(AnchorText.anchor(String(text.dropLast())) == nil)
  }
}
