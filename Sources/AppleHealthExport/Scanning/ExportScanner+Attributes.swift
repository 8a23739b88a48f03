// Access to the attributes of the current tag.
extension ExportScanner {
  /// Returns the undecoded value of the first attribute with this name, valid until the next event.
  func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in 0..<attributeCount where self.name(index).equals(name) { return value(index) }
    return nil
  }

  /// Returns the undecoded value of the second attribute with this name.
  func secondValue(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    var seen = false
    for index in 0..<attributeCount where self.name(index).equals(name) {
      if seen { return value(index) }
      seen = true
    }
    return nil
  }

  func name(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: buffer + attributes[index].name, count: attributes[index].nameCount)
  }

  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: buffer + attributes[index].value, count: attributes[index].valueCount)
  }

  /// Returns the name of the element just started, truncated to 128 bytes.
  package mutating func elementName() -> String {
    let start = nameRange.lowerBound
    return decode(
      UnsafeBufferPointer(start: buffer + start, count: min(nameRange.count, 128)))
  }

  /// Returns the decoded value of the first attribute with this name, or nil if there is none.
  package mutating func string(_ name: StaticString) -> String? {
    value(name).map { decode($0) }
  }

  /// Returns the names and values of all attributes of the element just started, in file order.
  package mutating func allAttributes() -> [(name: String, value: String)] {
    (0..<attributeCount).map { (decode(name($0)), decode(value($0))) }
  }

  /// Returns whether the attribute at `index` repeats the name of an earlier one.
  func isDuplicate(_ index: Int) -> Bool {
    let name = name(index)
    for earlier in 0..<index {
      let other = self.name(earlier)
      if other.count == name.count, other.first == name.first, other.elementsEqual(name) {
        return true
      }
    }
    return false
  }

  /// Returns the text of raw bytes, with entities decoded and invalid UTF-8 repaired.
  ///
  /// Control characters (U+000B occurs) and line breaks are kept unchanged.
  mutating func decode(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    // Swift stores short strings inline; the cache saves the allocation of longer ones.
    if raw.count > 15, let known = strings.find(raw) { return known }
    let before = defects
    let text: String
    if raw.index(of: UInt8(ascii: "&")) == nil {
      text = validated(raw)
    } else {
      let bytes = EntityDecoder.decode(raw, unknown: &defects.unknownEntities)
      text = bytes.withUnsafeBufferPointer { validated($0) }
    }
    // A text with defects is not cached, so that its defects are counted each time.
    if raw.count > 15, before == defects { strings.insert(raw, text) }
    return text
  }

  private mutating func validated(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    defects.repairedStrings += 1
    return String(decoding: bytes, as: UTF8.self)
  }
}
