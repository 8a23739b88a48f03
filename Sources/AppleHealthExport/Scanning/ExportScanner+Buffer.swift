extension ExportScanner {
  /// Reads once more; false at the end of the input.
  mutating func fill() throws(ExportError) -> Bool {
    if inputEnded { return false }
    // Moving only when half the buffer is used keeps the cost linear for inputs that arrive a
    // few bytes at a time.
    if capacity - tail < (capacity + 1) / 2 {
      if head > 0 {
        buffer.update(from: buffer + head, count: tail - head)
        base += Int64(head)
        tail -= head
        head = 0
      }
      if capacity - tail < (capacity + 1) / 2 { grow() }
    }
    let free = UnsafeMutableRawBufferPointer(start: buffer + tail, count: capacity - tail)
    let count = try input.read(into: free)
    precondition(count >= 0 && count <= free.count, "an input reported bytes it had no room for")
    inputEnded = count == 0
    tail += count
    return count > 0
  }

  /// Doubles what is buffered from `head` on; false when the input ended before anything came.
  ///
  /// A tag that is not complete is scanned again from its start. Doubling in between keeps that
  /// linear in the length of the tag.
  mutating func fillForTag() throws(ExportError) -> Bool {
    let before = tail - head
    repeat {
      if try !fill() { return tail - head > before }
    } while tail - head < before * 2
    return true
  }

  /// Makes `count` bytes from `head` on available; false when the input ends before.
  mutating func ensure(_ count: Int) throws(ExportError) -> Bool {
    while tail - head < count {
      if try !fill() { return false }
    }
    return true
  }

  /// Moves `head` behind the next occurrence of `pattern`; false when the input ends before.
  ///
  /// Takes no memory, however far away the pattern is. Its last byte must be `>`.
  mutating func skip(past pattern: StaticString) throws(ExportError) -> Bool {
    let length = pattern.utf8CodeUnitCount
    while true {
      var from = head + length - 1
      while from < tail,
        let found = UnsafeBufferPointer(start: buffer + from, count: tail - from)
          .index(of: UInt8(ascii: ">"))
      {
        let end = from + found + 1
        let window = UnsafeBufferPointer(start: buffer + (end - length), count: length)
        if window.equals(pattern) {
          head = end
          return true
        }
        from = end
      }
      head = max(head, tail - (length - 1))
      if try !fill() {
        head = tail
        return false
      }
    }
  }

  /// Moves `head` behind the tag that it is in, in bounded memory.
  ///
  /// A `<`, which stands in no value, ends a tag of which nobody knows the end.
  ///
  /// - Parameter quote: What ends the value that `head` is in; 0 outside of values.
  /// - Returns: Whether the tag closes its element; nil when the input ends before the tag.
  /// - Throws: ``ExportError`` when reading fails.
  mutating func skipTag(in quote: UInt8) throws(ExportError) -> Bool? {
    var quote = quote
    var last: UInt8 = 0
    repeat {
      while head < tail {
        let byte = buffer[head]
        if byte == UInt8(ascii: "<") { return false }
        head += 1
        if quote != 0 {
          if byte == quote { quote = 0 }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return last == UInt8(ascii: "/")
        }
        last = byte
      }
    } while try fill()
    return nil
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: buffer + head, count: tail - head)
    base += Int64(head)
    tail -= head
    head = 0
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}

extension ExportScanner {
  /// Reads to the end of the input; counts what is not white space, and says where it begins.
  ///
  /// An archive is checked by its checksum only when it is read to the end.
  mutating func drain() throws(ExportError) -> (count: Int64, first: Int64?) {
    var count: Int64 = 0
    var first: Int64?
    repeat {
      for at in head..<tail where !buffer[at].isXMLSpace {
        count += 1
        first = first ?? base + Int64(at)
      }
      head = tail
    } while try fill()
    return (count, first)
  }
}
