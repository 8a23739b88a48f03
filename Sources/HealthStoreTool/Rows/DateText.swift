/// Writes dates in the format of ``UTCText`` into a buffer.
///
/// Caches the text of the latest day, because consecutive dates of a feed mostly share it.
struct DateText {
  /// The day whose text is cached in ``name``, in days since 1970.
  private var day = Int.min
  private var name: [UInt8] = []

  /// Appends `2024-03-01T08:30:00Z`, with the fractional digits of `UTCText.text`.
  @inline(__always)
  mutating func append(_ seconds: Double, to text: inout TextBuffer) {
    // Distant years and fractions of more than six digits are rare.
    guard seconds.magnitude < 6e10, let (digits, places) = TextBuffer.decimal(seconds) else {
      text.append(UTCText.text(seconds))
      return
    }
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    var (whole, rest) = digits.quotientAndRemainder(dividingBy: scale)
    // The fraction counts forward, even before 2001.
    if rest < 0 {
      rest += scale
      whole -= 1
    }
    let since1970 = Int(whole) + 978_307_200
    var (day, second) = since1970.quotientAndRemainder(dividingBy: 86_400)
    if second < 0 {
      second += 86_400
      day -= 1
    }
    if day != self.day {
      self.day = day
      name = Array(UTCText.day(since1970).utf8)
    }
    text.append(name)
    text.append(UInt8(ascii: "T"))
    text.append(UInt64(second / 3600), digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(second / 60 % 60), digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(second % 60), digits: 2)
    if places > 0 {
      text.append(UInt8(ascii: "."))
      text.append(UInt64(rest), digits: places)
    }
    text.append(UInt8(ascii: "Z"))
  }
}
