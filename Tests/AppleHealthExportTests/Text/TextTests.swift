import AppleHealthExport
import Foundation
import Testing

@Suite struct TextTests {
  @Test(
    arguments: [
      "2019-05-14 19:05:29 -0400", "2019-05-15 01:05:29 +0200", "2019-05-14 23:05:29 +0000",
      "2019-05-14T23:05:29Z", "2019-05-14T19:05:29-04:00", "20190514190529-0400",
      "2019-05-14T23:05:29.000Z", "2019-05-15 04:50:29 +0545",
    ])
  func `Every notation of an instant gives the same date`(text: String) {
    #expect(ExportDateFormat.instant(text) == Date(timeIntervalSince1970: 1_557_875_129))
  }

  @Test func `Dates agree with Foundation's proleptic calendar over eight centuries`() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for days in stride(from: -80_000, to: 215_000, by: 97) {
      let date = Date(timeIntervalSince1970: Double(days) * 86400 + 12345)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let text =
        [parts.year, parts.month, parts.day].map { String($0 ?? 0) }
        .map { $0.count < 2 ? "0" + $0 : $0 }.joined(separator: "-") + " 03:25:45 +0000"
      #expect(ExportDateFormat.instant(text) == date, "\(text)")
    }
  }

  @Test func `The extremes of HealthKit's dates are read`() {
    #expect(ExportDateFormat.instant("4001-01-01 00:00:00 +0000") == .distantFuture)
    #expect(
      ExportDateFormat.instant("0001-01-01 00:00:00 +0000")?.timeIntervalSince1970
        == -62_135_596_800)
    #expect(
      ExportDateFormat.instant("2024-01-01T00:00:00.25Z")?.timeIntervalSince1970 == 1_704_067_200.25
    )
    #expect(
      ExportDateFormat.instant("2016-12-31 23:59:60 +0000")?.timeIntervalSince1970 == 1_483_228_800)
  }

  @Test(
    arguments: [
      "", "2019", "2019-13-01 00:00:00 +0000", "2019-00-10 00:00:00 +0000",
      "2019-02-29 00:00:00 +0000", "1900-02-29 00:00:00 +0000", "2019-04-31 00:00:00 +0000",
      "2019-01-00 00:00:00 +0000", "2019-01-01 24:00:00 +0000", "2019-01-01 00:60:00 +0000",
      "2019-01-01 00:00:61 +0000", "2019-01-01 00:00:00", "2019-01-01 00:00:00 0000",
      "2019-01-01 00:00:00 +1960", "2019-01-01 00:00:00 +9900", "2019-01-01 00:00:00 +0000x",
      "2019-01-01 00:00:00. +0000", "0000-01-01 00:00:00 +0000", "２019-01-01 00:00:00 +0000",
      "2019-0101 00:00:00 +0000", "2019-01-01 00:0000 +0000", "2019-01-01",
    ])
  func `A date with a field missing or out of range is nil`(text: String) {
    #expect(ExportDateFormat.instant(text) == nil)
  }

  @Test func `Only days that exist are read`() {
    #expect(ExportDateFormat.day("2024-02-29") == DateComponents(year: 2024, month: 2, day: 29))
    for text in ["2023-02-29", "2024-2-9", "2024-02-29 ", "", "2024-02"] {
      #expect(ExportDateFormat.day(text) == nil)
    }
  }

  @Test func `A device's values may contain commas and colons`() {
    let text =
      "<<HKDevice: 0x282e3a260>, name:Bob, his: Watch, manufacturer:Apple Inc., model:Watch, "
      + "hardware:Watch6,18, firmware:1, software:10.3.1, localIdentifier:AB:CD, UDI:(01)00>"
    let device = DeviceDescription(text)
    #expect(device.name == "Bob, his: Watch")
    #expect(device.manufacturer == "Apple Inc.")
    #expect(device.model == "Watch")
    #expect(device.hardwareVersion == "Watch6,18")
    #expect(device.firmwareVersion == "1")
    #expect(device.softwareVersion == "10.3.1")
    #expect(device.localIdentifier == "AB:CD")
    #expect(device.udiDeviceIdentifier == "(01)00")
  }

  @Test func `The memory address and the creation date do not affect the device`() {
    let first = "<<HKDevice: 0x1>, name:iPhone, hardware:iPhone10,4, software:12.3>"
    let second =
      "<<HKDevice: 0x2ff>, name:iPhone, hardware:iPhone10,4, software:12.3, "
      + "creation date:2025-12-13 12:48:57 +0000>"
    #expect(DeviceDescription.canonicalText(first) == DeviceDescription.canonicalText(second))
    #expect(DeviceDescription(first) == DeviceDescription(second))
    #expect(DeviceDescription(second).softwareVersion == "12.3")
    // The canonical text is itself a description.
    #expect(DeviceDescription(DeviceDescription.canonicalText(first)) == DeviceDescription(first))
  }

  @Test func `A text that is not a description is the device's name`() {
    #expect(DeviceDescription("Dummy device").name == "Dummy device")
    #expect(DeviceDescription("a>").name == "a>")
    #expect(DeviceDescription("") == DeviceDescription("<<HKDevice: 0x1>, >"))
    #expect(DeviceDescription("<<HKDevice: 0x1>, hardware:Watch6,2>").hardwareVersion == "Watch6,2")
  }

  @Test func `The reader gives one text for one device, whatever its address`() throws {
    let records = ["0x1", "0x22222222"].map { address in
      record(
        extra: #"device="&lt;&lt;HKDevice: \#(address)&gt;, name:A &amp; B, "#
          + #"model:Watch, hardware:Watch6,18&gt;""#)
    }
    let devices = try read(export(records.joined())).items.records.map(\.origin.device)
    #expect(devices == Array(repeating: "name:A & B, model:Watch, hardware:Watch6,18", count: 2))
  }

  @Test func `A metadata value has the type of its key`() {
    typealias Value = MetadataText.Value
    let cases: [(String, MetadataText.Kind, Value?)] = [
      ("418 cm", .quantity, .quantity(418, unit: "cm")),
      ("5.43 kcal/hr·kg", .quantity, .quantity(5.43, unit: "kcal/hr·kg")),
      ("-1e3\u{A0}m", .quantity, .quantity(-1000, unit: "m")),
      ("418", .quantity, nil), ("cm 418", .quantity, nil), ("nan cm", .quantity, nil),
      ("418 ", .quantity, nil),
      ("1", .boolean, .boolean(true)), ("0", .boolean, .boolean(false)), ("2", .boolean, nil),
      ("1", .integer, .integer(1)), ("2.0", .integer, .integer(2)), ("2.5", .integer, nil),
      ("1e300", .integer, nil), ("", .integer, nil),
      ("2.5", .number, .number(2.5)), ("inf", .number, nil),
      ("1", .string, .string("1")), ("0012", .string, .string("0012")),
      (
        "1970-01-01 00:00:01 +0000", .date, .date(Date(timeIntervalSince1970: 1))
      ),
      ("soon", .date, nil),
    ]
    for (text, kind, value) in cases {
      #expect(MetadataText.value(text, as: kind) == value, "\(text) as \(kind)")
    }
  }
}
