/// A decoder of the five predefined entities and of character references; other text is unchanged.
enum EntityDecoder {
  /// The maximum length of a reference: `&#x10FFFF;` with room for leading zeros.
  private static let longest = 16

  /// Returns `raw` with references decoded, and adds the number of unknown references to `unknown`.
  static func decode(_ raw: UnsafeBufferPointer<UInt8>, unknown: inout Int) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(raw.count)
    var at = 0
    while at < raw.count {
      let byte = raw[at]
      guard byte == UInt8(ascii: "&") else {
        out.append(byte)
        at += 1
        continue
      }
      let window = raw.part(at..<min(raw.count, at + longest))
      if let end = window.index(of: UInt8(ascii: ";")),
        let scalar = scalar(of: window.part(1..<end))
      {
        out.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        at += end + 1
      } else {
        unknown += 1
        out.append(byte)
        at += 1
      }
    }
    return out
  }

  private static func scalar(of name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    if name.equals("amp") { return "&" }
    if name.equals("lt") { return "<" }
    if name.equals("gt") { return ">" }
    if name.equals("quot") { return "\"" }
    if name.equals("apos") { return "'" }
    guard name.count >= 2, name[0] == UInt8(ascii: "#") else { return nil }
    let hexadecimal = name[1] == UInt8(ascii: "x") || name[1] == UInt8(ascii: "X")
    let digits = name.part((hexadecimal ? 2 : 1)..<name.count)
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
      return nil
    }
    // The integer parser rejects everything but digits; the scalar rejects surrogates.
    let text = String(decoding: digits, as: UTF8.self)
    guard let code = UInt32(text, radix: hexadecimal ? 16 : 10), code != 0 else { return nil }
    return Unicode.Scalar(code)
  }
}
