import Foundation
import Testing

@testable import AppleHealthExport

@Suite struct MarkupWriterTests {
  private func attribute(_ value: String) -> (text: String, replaced: Int) {
    var markup = MarkupWriter()
    markup.attribute("a", value)
    return (String(decoding: markup.bytes, as: UTF8.self), markup.replaced)
  }

  @Test func `Markup in text is escaped, and line ends and tabs are preserved`() {
    #expect(
      attribute("<a & \"b\">\n\r\t").text
        == " a=\"&lt;a &amp; &quot;b&quot;&gt;&#10;&#13;&#9;\"")
    #expect(attribute("é🏃🏽‍♀️\u{7f}\u{feff}").text == " a=\"é🏃🏽‍♀️\u{7f}\u{feff}\"")
  }

  @Test func `Characters that XML cannot represent are replaced and counted`() {
    #expect(attribute("a\u{0}\u{b}\u{1f}b").text == " a=\"a\u{FFFD}\u{FFFD}\u{FFFD}b\"")
    #expect(attribute("\u{FFFE}\u{FFFF}\u{FFFD}").text == " a=\"\u{FFFD}\u{FFFD}\u{FFFD}\"")
    #expect(attribute("\u{FFFE}\u{FFFF}\u{FFFD}").replaced == 2)
    // The last bytes of these characters are part of many others.
    #expect(attribute("\u{1FFBE}¿¾").text == " a=\"\u{1FFBE}¿¾\"")
  }

  @Test(arguments: [0, -0.0, 1, 72, 0.1, 1e300, 1e-300, -123_456.789])
  func `Numbers are the shortest text that reads back the same`(number: Double) {
    #expect(Double(MarkupWriter.text(number))?.bitPattern == number.bitPattern)
    #expect(MarkupWriter.text(72) == "72")
  }

  @Test func `Dates written for the years 1 to 9999 are read back`() {
    for day in stride(from: -62_135_596_800.0, to: 253_402_300_000, by: 86_400 * 97 + 12_345) {
      let seconds = day - 978_307_200
      let text = DateText(seconds)
      #expect(text.isExact)
      #expect(ExportDateFormat.instant(text.text)?.timeIntervalSinceReferenceDate == seconds)
    }
    #expect(DateText(0.25).text == "2001-01-01 00:00:00 +0000")
    #expect(DateText(-0.25).text == "2000-12-31 23:59:59 +0000")
    #expect(DateText(1e300).text == "9999-12-31 23:59:59 +0000")
    #expect(DateText(-1e300).text == "0001-01-01 00:00:00 +0000")
    for seconds in [0.25, -0.0, 1e300, -1e300] { #expect(!DateText(seconds).isExact) }
  }

  @Test(arguments: ["", "plain", "100%", "a\u{0}\n\u{7f}é🏃🏽‍♀️\u{FFFE}"])
  func `Escaped text decodes to the original and is plain ASCII`(text: String) {
    let escaped = StoredText.escaped(text)
    #expect(escaped.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(StoredText.unescaped(escaped) == text)
  }

  @Test(arguments: ["%", "%1", "%zz", "%+1", "%ff"])
  func `Invalid escapes are not decoded`(text: String) {
    #expect(StoredText.unescaped(text) == nil)
  }
}
