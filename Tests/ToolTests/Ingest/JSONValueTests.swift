import Testing

@testable import HealthStoreTool

@Suite struct JSONValueTests {
  private func value(_ text: String) -> JSONValue? { try? JSONValue(Array(text.utf8)) }

  @Test func `Values are read, and numbers bit for bit`() {
    #expect(
      value(#" {"a":[1,-2.5e-3,true,false,null,""],"b":{}} "#)
        == .object([
          "a": .array([
            .integer(1), .number(-0.0025), .truth(true), .truth(false), .null, .text(""),
          ]), "b": .object([:]),
        ]))
    #expect(value("0.30000000000000004") == .number(0.1 + 0.2))
    #expect(value("9007199254740993") == .integer(9_007_199_254_740_993))
    #expect(value("18446744073709551616") == .number(0x1p64))
    #expect(value("1e400") == .number(.infinity))
    #expect(value(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) == .text("\"\\/\u{8}\u{C}\n\r\té😀é"))
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, #"{a:1}"#, #"{"a":1,}"#,
    #"{"a":1,"a":1}"#, "01", "1.", ".5", "+1", "1e", "-", "tru", "nulls", "NaN", #"""#, #""\x""#,
    #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\udc00""#, "\"\n\"", "1 1", "'a'",
  ])
  func `Text that is not JSON is refused`(text: String) { #expect(value(text) == nil) }

  @Test func `Invalid UTF-8 and excessive nesting are refused`() {
    #expect(throws: IngestProblem.self) { try JSONValue([0x22, 0xFF, 0x22]) }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: IngestProblem.self) { try JSONValue(Array(deep.utf8)) }
    #expect(value(String(repeating: "[", count: 60) + String(repeating: "]", count: 60)) != nil)
  }

  @Test func `Every truncation of a text is refused`() {
    let text = Array(#"{"a":[1.5,"b\n",{"c":true}],"d":null}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: IngestProblem.self) { try JSONValue(Array(text.prefix(count))) }
    }
  }
}
